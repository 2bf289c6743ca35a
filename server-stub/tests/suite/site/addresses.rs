//! Addresses, methods and requests for which the hosted site has no page. Readers get pages and redirects, never JSON.

use contentgen_server_stub::server::{self, Running, Settings};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use reqwest::{Method, Response};

use super::harness::{path_of, published};
use crate::plain_http;

const METHODS: [&str; 9] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PURGE"];

async fn send(running: &Running, method: &str, path: &str) -> Response {
    let url = format!("{}{path}", running.base_url().unwrap());
    plain_http::client().request(Method::from_bytes(method.as_bytes()).unwrap(), url).send().await.unwrap()
}

/// Checks that the response is a page for readers that shows no JSON.
async fn assert_page(response: Response, status: u16, what: &str) {
    let header = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
    let (seen, is_head) = (response.status().as_u16(), what.starts_with("HEAD"));
    assert_eq!((seen, header("content-type").as_deref()), (status, Some("text/html; charset=utf-8")), "{what}");
    assert!(header("content-security-policy").is_some_and(|policy| policy.starts_with("default-src 'none'")), "{what}");
    let html = response.text().await.unwrap();
    let is_page = html.starts_with("<!doctype html>") && html.contains("<h1>") && !html.contains("problem");
    assert!(if is_head { html.is_empty() } else { is_page }, "{what}: {html}");
}

#[tokio::test]
async fn a_slash_at_the_end_leads_to_the_page_without_it() {
    let running = server::start(Settings::demo()).await.unwrap();
    let page = path_of(&running, &published(&running, "Keeping bread fresh").await);
    let index = format!("/sites/{}", running.accounts()[0].website_id);
    for path in [index.clone(), page, format!("{index}/feed.xml"), format!("{index}/sitemap.xml")] {
        for (query, method) in [("", "GET"), ("", "HEAD"), ("?a=b&c", "GET")] {
            let redirect = send(&running, method, &format!("{path}/{query}")).await;
            let location = redirect.headers()["location"].to_str().unwrap().to_owned();
            assert_eq!((redirect.status().as_u16(), location.as_str()), (308, &*format!("{path}{query}")));
            assert_eq!(send(&running, method, &location).await.status(), 200, "{location}");
        }
    }
    assert!(running.stop().await);
}

#[tokio::test]
async fn wrong_addresses_and_methods_are_pages() {
    let running = server::start(Settings::demo()).await.unwrap();
    let page = path_of(&running, &published(&running, "Keeping bread fresh").await);
    let index = format!("/sites/{}", running.accounts()[0].website_id);
    let wrong = [
        "/sites".to_owned(),
        "/sites/".to_owned(),
        "/sites/web_nothing".to_owned(),
        "/sites/web_nothing/feed.xml".to_owned(),
        "/sites/web_nothing/sitemap.xml".to_owned(),
        format!("{index}/nothing"),
        format!("{index}/feed.XML"),
        format!("{index}/a/b"),
        format!("{index}//nothing"),
        format!("{page}/a/"),
        format!("{page}?preview=forged"),
        format!("{page}?preview=a&preview=b"),
        format!("{index}?page=a&page=b"),
        format!("{index}/%ff"),
        "/sites/%ff/%00".to_owned(),
    ];
    for path in wrong {
        for method in ["GET", "HEAD"] {
            assert_page(send(&running, method, &path).await, 404, &format!("{method} {path}")).await;
        }
    }
    for path in [&index, &page, &format!("{index}/feed.xml"), &format!("{page}/")] {
        for method in METHODS.iter().filter(|method| !matches!(**method, "GET" | "HEAD")) {
            let response = send(&running, method, path).await;
            let allowed = response.headers()["allow"].to_str().unwrap().replace(' ', "");
            assert_eq!(allowed, "GET,HEAD", "{method} {path}");
            assert_page(response, 405, &format!("{method} {path}")).await;
        }
    }
    let long = format!("{index}?a={}", "b".repeat(17 * 1024));
    assert_page(send(&running, "GET", &long).await, 431, "a long query").await;
    assert!(running.stop().await);
}

#[test]
fn no_request_below_sites_gets_json() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let running = runtime.block_on(server::start(Settings::demo())).unwrap();
    let website_id = running.accounts()[0].website_id.clone();
    let segment = prop_oneof![
        Just(website_id),
        prop::sample::select(vec!["", "feed.xml", "sitemap.xml", "web_1", "%2e%2e", "%ff", "a%2Fb", "\u{fc}"])
            .prop_map(str::to_owned),
        "[a-z0-9._~%-]{1,12}".prop_map(|text| text.replace('%', "%25")),
    ];
    let segments = prop::collection::vec(segment, 0..4);
    let query = prop_oneof![Just(""), Just("?page=x"), Just("?preview=%00"), Just("?page=1&page=2")];
    let request = (prop::sample::select(METHODS.to_vec()), segments, query);
    let checked = TestRunner::default().run(&request, |(method, segments, query)| {
        let path = format!("/sites/{}{query}", segments.join("/"));
        runtime.block_on(async {
            let response = send(&running, method, &path).await;
            match response.status().as_u16() {
                200 | 308 => {}
                // The client resolves dots before it sends the request.
                _ if !response.url().path().starts_with("/sites") => {}
                status => assert_page(response, status, &format!("{method} {path}")).await,
            }
        });
        Ok(())
    });
    checked.unwrap();
    assert!(runtime.block_on(running.stop()));
}
