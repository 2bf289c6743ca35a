//! Pages of the hosted site that a proxy shows under the address of their website, as `docs/publishing.md` configures it.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use contentgen_sdk::types::ArticleStatus;
use contentgen_server_stub::app::WebsiteSettings;
use contentgen_server_stub::domain::account::WebsiteStatus;
use contentgen_server_stub::server::{Server, Settings};
use futures::TryStreamExt as _;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use super::any_language::AnyLanguage;
use super::driver::{Driver, Script};
use super::user::User;
use crate::until::until_some;
use crate::{full_client, request};

/// Path prefixes that the website passes on unchanged.
const SHARED: [&str; 3] = ["/assets/", "/capture/", "/sites/"];

/// Sends a request on as the website's web server does: names of articles to the pages of `website_id`, and the paths in `SHARED`.
async fn pass(server: String, website_id: String, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path();
    let path = if SHARED.iter().any(|prefix| path.starts_with(prefix)) {
        path.to_owned()
    } else {
        format!("/sites/{website_id}{path}")
    };
    let body = axum::body::to_bytes(body, 1 << 20).await.expect("forms are small");
    // Redirects are for the browser.
    let client = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
    let client = client.build().expect("the configuration is complete");
    let sent = client.request(parts.method, format!("{server}{path}")).headers(parts.headers).body(body);
    let answer = sent.send().await.expect("the server answers");
    let (status, headers) = (answer.status(), answer.headers().clone());
    let mut response = Response::new(Body::from(answer.bytes().await.expect("a body")));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response.headers_mut().remove("transfer-encoding");
    response
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_of_the_website_sees_the_page_and_sends_its_form() {
    let Some(driver) = Driver::shared() else { return };
    let server = Server::builder().settings(Settings::demo()).generator(Arc::new(AnyLanguage));
    let server = server.start().await.expect("a loopback port and a temporary folder are to be had");
    // It installs the TLS provider that the proxy's clients need.
    drop(crate::http());
    let socket = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let own = format!("http://{}", socket.local_addr().expect("it is bound"));
    let account = server.app().account(&server.accounts()[0].name).await.expect("the demonstration has it");
    let settings = WebsiteSettings {
        name: "Die B\u{e4}ckerei".to_owned(),
        url: own.clone(),
        language: "de".to_owned(),
        time_zone: "Europe/Berlin".to_owned(),
        pages_at_url: true,
        ..WebsiteSettings::default()
    };
    let website = server.app().create_website(&account, settings, WebsiteStatus::Active).await;
    let website_id = website.expect("the website can be made").website_id;
    let (base_url, shown) = (crate::base_url(&server), website_id.clone());
    let router = Router::new().fallback(move |request| pass(base_url.clone(), shown.clone(), request));
    let mut proxy = JoinSet::new();
    proxy.spawn(async move { axum::serve(socket, router).await });

    let client = full_client(&server);
    let order = request(&server, "Sauerteig im Winter").website_id(website_id.as_str()).language("de");
    client.generate_and_wait(order).poll_interval(Duration::from_millis(20)).await.expect("the topic is taken");
    let url = until_some("the website has published the article", async || {
        let list = client.list_articles().website_id(website_id.as_str()).status(ArticleStatus::Published);
        list.items().try_next().await.expect("articles can be listed").and_then(|article| article.url)
    })
    .await;
    assert!(url.starts_with(&format!("{own}/")), "{url}");
    let user = User::new(&driver, Script::On, &own).await;
    user.open(&url).await;
    user.sees("Min. Lesezeit").await;
    let canonical: String = user.evaluate("return document.querySelector('link[rel=canonical]').href").await;
    assert_eq!(canonical, url);
    let is_styled: bool = user.evaluate("return [...document.styleSheets].some(one => one.cssRules.length > 0)").await;
    assert!(is_styled, "the style sheet is refused");
    user.fill("E-Mail", "ada@example.com").await;
    user.tick("You may use my address to answer me.").await;
    user.press("Senden").await;
    user.sees("Thank you").await;
    let lead = client.list_leads().website_id(website_id.as_str()).items().try_next().await;
    let source = lead.expect("leads can be listed").expect("the form is sent").source;
    assert_eq!(source.page_url.as_deref(), Some(url.as_str()));
    user.press("Alle Artikel").await;
    user.sees("Artikel").await;
    user.follow("Sauerteig").await;
    assert_eq!(format!("{own}{}", user.address().await), url, "the list leads to the website");

    // A slash, as people and servers add it.
    let index = format!("/sites/{website_id}");
    for (path, expected) in [(format!("{index}/"), index.as_str()), (format!("{url}/"), &index)] {
        user.open(&path).await;
        let address = user.address().await;
        assert!(address.starts_with(expected) && !address.ends_with('/'), "{path} leads to {address}");
        user.sees("Die B\u{e4}ckerei").await;
    }
    user.open(&format!("{index}/nothing/is/here")).await;
    user.sees("Page not found").await;
    server.stop().await;
}
