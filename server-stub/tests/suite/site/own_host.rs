//! A hosted site with a separate host, without the API and the dashboard.

use contentgen_server_stub::app::WebsiteSettings;
use contentgen_server_stub::dashboard;
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::lead_form::LeadForm;
use contentgen_server_stub::http::ROUTES;
use contentgen_server_stub::server::{Running, Settings, start};
use reqwest::Response;
use serde_json::Value;

use super::harness::{published, website};
use crate::command_line::program::{assert_fails, run};
use crate::dashboard::browser::Browser;
use crate::hooks::receiver::{Answer, Receiver, status as answer_with};
use crate::plain_http;

const APP: &str = "app.example.com";
const PAGES: &str = "pages.example.com";

fn settings() -> Settings {
    let address = |host: &str| Some(format!("https://{host}").parse().unwrap());
    Settings { public_url: address(APP), site_url: address(PAGES), ..Settings::demo() }
}

async fn request(running: &Running, method: &str, host: &str, path: &str) -> Response {
    let url = format!("{}{path}", running.base_url().unwrap());
    let request = plain_http::client().request(method.parse().unwrap(), url).header("host", host);
    request.bearer_auth(&running.accounts()[0].api_key).send().await.unwrap()
}

fn location(response: &Response) -> &str {
    response.headers()["location"].to_str().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_with_a_host_of_their_own_are_only_there_and_the_dashboard_and_the_api_are_not() {
    let running = start(settings()).await.unwrap();
    let article = published(&running, "Keeping a rye starter alive").await;
    let website_id = running.accounts()[0].website_id.clone();
    let path = format!("/sites/{website_id}/{}", article["slug"].as_str().unwrap());
    let address = format!("https://{PAGES}{path}");
    assert_eq!((&article["url"], &article["canonical_url"]), (&Value::from(&*address), &Value::from(&*address)));
    let index = format!("/sites/{website_id}");
    let (feed, sitemap) = (format!("{index}/feed.xml"), format!("{index}/sitemap.xml"));
    for path in [&path, &index, &feed, &sitemap] {
        let page = request(&running, "GET", PAGES, path).await;
        assert_eq!(page.status(), 200, "{path}");
        let text = page.text().await.unwrap();
        assert!(text.contains(&format!("https://{PAGES}/")) && !text.contains(APP), "{path}: {text}");
        // Another host shows no page, even if it is neither of the two.
        for host in [APP, "other.example.com", "pages.example.com:8443"] {
            let moved = request(&running, "GET", host, &format!("{path}?a=b")).await;
            let expected = format!("https://{PAGES}{path}?a=b");
            assert_eq!((moved.status().as_u16(), location(&moved)), (308, &*expected), "{host}{path}");
            assert_eq!(request(&running, "POST", host, path).await.status(), 405);
        }
    }
    for path in ["/assets/site.css", "/assets/lead-form.js", "/robots.txt", "/healthz", "/readyz"] {
        assert_eq!(request(&running, "GET", PAGES, path).await.status(), 200, "{path}");
    }
    let of_api = ROUTES.iter().map(|route| route.path);
    let of_dashboard = dashboard::routes();
    let of_dashboard = of_dashboard.iter().map(|route| route.path);
    for path in of_api.chain(of_dashboard).chain(["/", "/docs", "/openapi.yaml", "/dashboard/assets/dashboard.js"]) {
        for method in ["GET", "POST"] {
            let response = request(&running, method, PAGES, path).await;
            assert_eq!(response.status(), 404, "{method} {path}");
            assert!(response.headers().get("set-cookie").is_none(), "{method} {path}");
            assert!(response.text().await.unwrap().contains("Page not found"), "{method} {path}");
        }
    }
    assert_eq!(request(&running, "GET", APP, "/api/v1/websites").await.status(), 200);
    assert_eq!(request(&running, "GET", APP, "/dashboard/sign-in").await.status(), 200);
    assert!(running.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_dashboard_frames_previews_of_the_other_host_and_links_to_it() {
    let running = start(settings()).await.unwrap();
    let article = published(&running, "Keeping a rye starter alive").await;
    let browser = Browser::signed_in(&running, 0).await;
    let page = browser.get(&format!("/dashboard/articles/{}", article["id"].as_str().unwrap())).await;
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains(&format!("frame-src https://{PAGES};")), "{policy}");
    let preview = page.find(r#"<iframe class="preview" src="([^"]+)""#).unwrap();
    let path = preview.strip_prefix(&format!("https://{PAGES}")).unwrap();
    let shown = request(&running, "GET", PAGES, path).await;
    assert_eq!(shown.status(), 200);
    let policy = shown.headers()["content-security-policy"].to_str().unwrap();
    assert!(policy.ends_with(&format!("frame-ancestors https://{APP}")), "{policy}");
    let website = format!("/dashboard/websites/{}", running.accounts()[0].website_id);
    browser.get(&website).await.expect(&format!("https://{PAGES}/sites/"));
    assert!(running.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lead_forms_are_accepted_at_both_hosts_and_confirmed_at_the_host_of_pages() {
    let running = start(settings()).await.unwrap();
    let receiver = Receiver::start(&[("/in", Answer::Bytes(answer_with("200 OK")))]).await;
    let name = running.accounts()[0].name.clone();
    running.create_hook(&name, &receiver.url("/in"), &[EventType::LeadCaptured]).await.unwrap();
    let lead_form = LeadForm { double_opt_in: true, ..LeadForm::default() };
    let website_id = website(&running, "Confirmed", WebsiteSettings { lead_form, ..WebsiteSettings::default() }).await;
    for (number, host) in [APP, PAGES].into_iter().enumerate() {
        let url = format!("{}/capture/{website_id}", running.base_url().unwrap());
        let origin = format!("https://{PAGES}");
        let form = plain_http::client().post(url).header("host", host).header("origin", &origin);
        let form = form.header("content-type", "application/json");
        let sent = form.body(format!(r#"{{"email":"reader{number}@example.com"}}"#)).send().await.unwrap();
        assert_eq!(sent.status(), 202, "{host}");
        assert_eq!(sent.headers()["access-control-allow-origin"], *origin, "{host}");
        let hooks = receiver.wait_for("/in", number + 1).await;
        let event: Value = serde_json::from_slice(&hooks[number].body).unwrap();
        let link = event["data"]["confirmation_url"].as_str().unwrap().to_owned();
        let path = link.strip_prefix(&origin).unwrap_or_else(|| panic!("{link}"));
        assert_eq!(request(&running, "GET", PAGES, path).await.status(), 200);
    }
    assert!(running.stop().await);
}

#[test]
fn a_host_for_pages_that_is_no_other_host_is_refused() {
    let folder = tempfile::TempDir::new().unwrap();
    let serve = ["serve", "--demo", "--listen", "127.0.0.1:0", "--site-url", "https://pages.example.com"];
    for public_url in [&[][..], &["--public-url", "http://pages.example.com:8080/x"]] {
        let refused = run(folder.path(), &[&serve[..], public_url].concat());
        assert_fails(&refused, 2, "--site-url also needs --public-url, with another host");
    }
}
