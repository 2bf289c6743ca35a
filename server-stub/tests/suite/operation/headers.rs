//! The security headers of every response.

use contentgen_server_stub::dashboard::{self, RouteKind};
use contentgen_server_stub::http::{FORM_ROUTES, ROUTES};
use contentgen_server_stub::server::{Settings, start};
use reqwest::Response;
use serde_json::json;

use crate::plain_http;

/// Paths outside of the tables of routes, and requests that are refused.
const OTHERS: [(&str, &str); 23] = [
    ("GET", "/"),
    ("GET", "/docs"),
    ("GET", "/openapi.yaml"),
    ("GET", "/openapi.json"),
    ("GET", "/openapi-3.1.json"),
    ("GET", "/problems/queue_full"),
    ("GET", "/problems/nothing"),
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/robots.txt"),
    ("GET", "/assets/site.css"),
    ("GET", "/assets/site-icon.svg"),
    ("GET", "/assets/lead-form.js"),
    ("GET", "/dashboard/assets/icons.svg"),
    ("GET", "/dashboard/nothing"),
    ("GET", "/sites/{website_id}/feed.xml"),
    ("GET", "/sites/{website_id}/sitemap.xml"),
    ("GET", "/sites/web_nothing"),
    ("GET", "/sites/web_nothing/"),
    ("POST", "/sites/web_nothing/x"),
    ("DELETE", "/api/v1/generate"),
    ("GET", "/api//v1"),
    ("GET", "/nothing"),
];

fn check(response: &Response, is_https: bool) {
    let at = format!("{} {}", response.status(), response.url().path());
    let header = |name: &str| response.headers().get_all(name).iter().collect::<Vec<_>>();
    assert_eq!(header("x-content-type-options"), ["nosniff"], "{at}");
    let policies = header("content-security-policy");
    let [policy] = policies[..] else { panic!("{at}: {policies:?}") };
    let policy = policy.to_str().unwrap();
    for part in ["default-src 'none'", "form-action ", "base-uri 'none'", "frame-ancestors "] {
        assert!(policy.contains(part), "{at}: {policy} lacks {part}");
    }
    assert!(!policy.contains("unsafe-") && !policy.contains('*'), "{at}: {policy}");
    let expected = if is_https { &["max-age=31536000"][..] } else { &[] };
    assert_eq!(header("strict-transport-security"), expected, "{at}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_response_has_the_security_headers() {
    let of_api = ROUTES.iter().map(|route| (route.is_post, route.path));
    let of_forms = FORM_ROUTES.iter().map(|route| (route.is_post, route.path));
    let of_dashboard = dashboard::routes();
    let of_dashboard = of_dashboard.iter().map(|route| (route.kind == RouteKind::Form, route.path));
    let routes = of_api.chain(of_forms).chain(of_dashboard);
    let routes: Vec<_> =
        routes.map(|(is_post, path)| (if is_post { "POST" } else { "GET" }, path)).chain(OTHERS).collect();
    let client = plain_http::client();
    for (public_url, is_https) in [("https://app.example.com", true), ("http://app.example.com", false)] {
        let settings = Settings { public_url: Some(public_url.parse().unwrap()), is_worker: false, ..Settings::demo() };
        let running = start(settings).await.unwrap();
        let account = &running.accounts()[0];
        for (method, path) in &routes {
            let path = path.replace("{website_id}", &account.website_id);
            for accept in ["application/json", "text/html"] {
                let url = format!("{}{path}", running.base_url().unwrap());
                let request = client.request(method.parse().unwrap(), url).header("accept", accept);
                let request = if path.starts_with("/api/") { request.bearer_auth(&account.api_key) } else { request };
                check(&request.send().await.unwrap(), is_https);
            }
        }
        // Accepted requests, and one that has not changed.
        let url = format!("{}/capture/{}", running.base_url().unwrap(), account.website_id);
        for accept in ["application/json", "text/html"] {
            let body = json!({ "email": "reader@example.com" }).to_string();
            let form = client.post(&url).header("accept", accept).header("content-type", "application/json").body(body);
            let response = form.send().await.unwrap();
            assert_eq!(response.status(), 202);
            check(&response, is_https);
        }
        let url = format!("{}/sites/{}", running.base_url().unwrap(), account.website_id);
        let response = client.get(&url).send().await.unwrap();
        check(&response, is_https);
        let unchanged = client.get(&url).header("if-none-match", &response.headers()["etag"]).send().await.unwrap();
        assert_eq!(unchanged.status(), 304);
        check(&unchanged, is_https);
        assert!(running.stop().await);
    }
}
