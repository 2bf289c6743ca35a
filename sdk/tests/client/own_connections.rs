//! Requests outside the API document, and HTTP clients of the application.

#[cfg(feature = "rustls")]
use std::sync::Arc;
use std::time::Duration;

use contentgen_sdk::types::Job;
use contentgen_sdk::{Client, ConfigError, ErrorKind};
use http::Method;
use http::header::{HeaderName, HeaderValue};
use serde_json::{Value, json};
use wiremock::matchers::{any, method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::scripted::{Act, serve};
#[cfg(feature = "rustls")]
use super::unused_address::UnusedAddress;
use super::{KEY, client, quick};

/// Starts a server that fails a number of times and then answers everything with one body.
async fn failing(times: u64, body: Value) -> MockServer {
    let server = MockServer::start().await;
    if times > 0 {
        Mock::given(any()).respond_with(ResponseTemplate::new(503)).up_to_n_times(times).mount(&server).await;
    }
    let answer = ResponseTemplate::new(200).insert_header("X-Request-Id", "req_1").set_body_json(body);
    Mock::given(any()).respond_with(answer).mount(&server).await;
    server
}

async fn requests(server: &MockServer) -> Vec<wiremock::Request> {
    server.received_requests().await.expect("requests are recorded")
}

#[tokio::test]
async fn a_request_that_no_operation_makes_has_the_clients_key_and_retries() {
    let server = failing(2, json!({ "words": 7 })).await;
    let client = client(&format!("{}/tenant", server.uri()));
    assert_eq!(client.base_url(), format!("{}/tenant", server.uri()));
    let request = client.request(Method::GET, "/api/v1/statistics").query("website_id", "a&b");
    let request = request.header(HeaderName::from_static("x-own"), HeaderValue::from_static("7"));
    let response = request.send().await.unwrap();
    assert_eq!((response.http_status().as_u16(), response.request_id()), (200, Some("req_1")));
    assert_eq!(response.body(), br#"{"words":7}"#);
    let requests = requests(&server).await;
    assert_eq!(requests.len(), 3);
    for request in requests {
        assert_eq!((request.url.path(), request.url.query()), ("/tenant/api/v1/statistics", Some("website_id=a%26b")));
        assert_eq!(
            (&request.headers["x-own"], &request.headers["authorization"]),
            (&"7".parse().unwrap(), &format!("Bearer {KEY}").parse().unwrap())
        );
    }
}

#[tokio::test]
async fn what_it_answers_can_be_read_as_a_type() {
    let job = json!({
        "job_id": "job_1", "status": "queued", "done": false, "website_id": "w", "topic": "t", "metadata": {}, "attempts": 1,
        "created_at": "2026-01-01T00:00:00Z"
    });
    let server = failing(0, job).await;
    let client = client(&server.uri());
    let request =
        || client.request(Method::POST, "/api/v1/jobs").body(json!({ "topic": "t" })).idempotency_key("row-7");
    assert_eq!(request().send_json::<Job>().await.unwrap().job_id, "job_1");
    let error = request().send_json::<Vec<Job>>().await.unwrap_err();
    assert_eq!((error.operation(), error.attempts()), (Some("request"), 1));
    let request = &requests(&server).await[0];
    assert_eq!(request.headers["idempotency-key"], "row-7");
    assert_eq!(
        (&request.headers["content-type"], request.body_json::<Value>().unwrap()),
        (&"application/json".parse().unwrap(), json!({ "topic": "t" }))
    );
}

/// Requests with a repeated effect are not retried; a body is read within the client's limit.
#[tokio::test]
async fn it_keeps_the_limits_of_the_client() {
    for (method, attempts) in
        [(Method::POST, 1), (Method::PATCH, 1), (Method::PUT, 4), (Method::DELETE, 4), (Method::HEAD, 4)]
    {
        let server = failing(9, json!({})).await;
        let error = client(&server.uri()).request(method.clone(), "/api/v1/things").send().await.unwrap_err();
        assert_eq!(error.attempts(), attempts, "{method}");
    }
    let server = failing(0, json!("x".repeat(1000))).await;
    let client = client(&server.uri()).with_options(quick().max_body_bytes(999));
    let error = client.request(Method::GET, "/api/v1/things").send().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge);
}

#[tokio::test]
async fn no_path_leads_away_from_the_base_url() {
    let server = failing(0, json!({})).await;
    let client = client(&format!("{}/tenant", server.uri()));
    for path in [
        "",
        "api/v1",
        "@127.0.0.1/",
        ".example/",
        "/..",
        "/../other",
        "/%2e%2e/other",
        "//other",
        "/a?b",
        "/a#b",
        "/\\\\a",
        "/a\nb",
        "/.. ",
        "/a/.. ",
        "/.\t./other",
        "/%2e\n%2e/other",
        "/a/.\r.",
        "/a b",
        "/a ",
        "/\u{e9}",
        "/a/%2E%2e",
    ] {
        let error = client.request(Method::GET, path).send().await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidRequest, 0), "{path}");
    }
    let error = client.request(Method::POST, "/a").idempotency_key("a\nb").send().await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidRequest, 0));
    for name in ["authorization", "host", "content-length", "transfer-encoding", "idempotency-key"] {
        let request =
            client.request(Method::GET, "/a").header(HeaderName::from_static(name), HeaderValue::from_static("7"));
        let error = request.send().await.unwrap_err();
        assert_eq!(error.field_errors()[0].header.as_deref(), Some(name), "{error}");
    }
    assert!(requests(&server).await.is_empty());
}

/// Makes an HTTP client of the application, which follows redirects.
#[cfg(feature = "rustls")]
fn own_client(headers: http::HeaderMap, timeout: Option<Duration>) -> reqwest::Client {
    let tls = rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()));
    let tls = tls.with_safe_default_protocol_versions().expect("the provider has them");
    let tls = tls.with_root_certificates(rustls::RootCertStore::empty()).with_no_client_auth();
    let own = reqwest::Client::builder().tls_backend_preconfigured(tls).default_headers(headers);
    let own = own.user_agent("theirs");
    let own = if let Some(timeout) = timeout { own.timeout(timeout) } else { own };
    own.build().expect("the configuration is complete")
}

#[cfg(feature = "rustls")]
#[test]
fn options_that_a_clients_own_connections_would_ignore_are_refused() {
    let builder = || {
        Client::builder()
            .base_url("http://localhost")
            .api_key(KEY)
            .http_client(own_client(http::HeaderMap::new(), None))
    };
    let refused = [
        ("connect_timeout", builder().connect_timeout(Duration::from_secs(1))),
        ("no_proxy", builder().no_proxy()),
        ("proxy", builder().proxy("http://proxy.example")),
        ("tls", builder().tls(contentgen_sdk::TlsBackend::Rustls)),
        ("root_certificates", builder().root_certificates("PEM")),
        ("client_certificate", builder().client_certificate("PEM", "PEM")),
    ];
    for (option, builder) in refused {
        let error = builder.build().unwrap_err();
        assert!(matches!(error, ConfigError::IgnoredOption(ignored) if ignored == option), "{option}: {error}");
        let text = error.to_string();
        assert!(text.contains(&format!("`{option}`")) && text.contains("`reqwest::Client`"), "{text}");
    }
    builder().app_info("blog-tool/1.2").allow_plain_http().retry_budget(1).build().unwrap();
}

#[cfg(feature = "rustls")]
#[tokio::test]
async fn a_client_of_the_application_sends_no_key_with_a_lead_form() {
    let server = failing(0, json!({ "accepted": true })).await;
    let builder = Client::builder().base_url(server.uri()).api_key(KEY).options(quick());
    let client = builder.http_client(own_client(http::HeaderMap::new(), None)).build().unwrap();
    // The server answers 200 instead of 202: this test checks headers only.
    client.capture_lead("web_1").email("reader@example.com").send().await.unwrap_err();
    client.request(Method::GET, "/own").send().await.unwrap();
    let requests = requests(&server).await;
    assert!(!requests[0].headers.contains_key("authorization") && requests[1].headers.contains_key("authorization"));
}

#[cfg(feature = "rustls")]
#[tokio::test]
async fn a_client_of_the_application_sends_the_requests() {
    let server = failing(1, json!({ "id": "art_1" })).await;
    let own = http::HeaderMap::from_iter([(HeaderName::from_static("x-own"), HeaderValue::from_static("7"))]);
    let builder = Client::builder().base_url(server.uri()).api_key(KEY).app_info("blog-tool/1.2").options(quick());
    let client = builder.http_client(own_client(own, None)).build().unwrap();
    assert_eq!(client.get_article("art_1").send().await.unwrap().id.as_deref(), Some("art_1"));
    let requests = requests(&server).await;
    assert_eq!(requests.len(), 2);
    for request in requests {
        assert_eq!(
            (&request.headers["x-own"], &request.headers["accept"]),
            (&"7".parse().unwrap(), &"application/json".parse().unwrap())
        );
        assert_eq!(request.headers.get_all("authorization").iter().collect::<Vec<_>>(), [&format!("Bearer {KEY}")]);
        assert!(request.headers["user-agent"].to_str().unwrap().starts_with("blog-tool/1.2 contentgen-sdk-rust/"));
    }
    assert!(!format!("{client:?}").contains(KEY));
}

#[cfg(feature = "rustls")]
#[tokio::test]
async fn a_time_limit_of_a_client_of_the_application_is_a_time_out() {
    let (url, _requests) = serve(vec![Act::Hang(""), Act::Hang("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{")]);
    for _ in 0..2 {
        let own = own_client(http::HeaderMap::new(), Some(Duration::from_millis(50)));
        let builder = Client::builder().base_url(&url).api_key(KEY).options(quick().max_retries(0));
        let error = builder.http_client(own).build().unwrap().get_article("art_1").send().await.unwrap_err();
        assert_eq!(
            (error.kind(), error.is_timeout(), error.is_retryable()),
            (ErrorKind::Timeout, true, true),
            "{error}"
        );
    }
}

/// The first server may have processed the request before it redirected to an unreachable server.
#[cfg(feature = "rustls")]
#[tokio::test]
async fn a_connection_that_fails_behind_a_redirect_is_no_reason_to_queue_again() {
    let unused = UnusedAddress::reserve();
    let server = MockServer::start().await;
    let see_other = ResponseTemplate::new(303).insert_header("Location", format!("{}/jobs/job_1", unused.url));
    Mock::given(any()).respond_with(see_other).mount(&server).await;
    let builder = Client::builder().base_url(server.uri()).api_key(KEY).options(quick());
    let client = builder.http_client(own_client(http::HeaderMap::new(), None)).build().unwrap();
    let error = client.generate().topic("t").website_id("w").send().await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Connect, 1), "{error:?}");
    assert_eq!(requests(&server).await.len(), 1);
    // A read may be repeated, so it is retried.
    let error = client.get_article("art_1").send().await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Connect, 4), "{error:?}");
}

/// The first server may have processed the request before it redirected to a page whose quota is used up.
#[cfg(feature = "rustls")]
#[tokio::test]
async fn a_refusal_behind_a_redirect_is_no_reason_to_queue_again() {
    for problem in [429, 409] {
        let server = MockServer::start().await;
        let see_other = ResponseTemplate::new(303).insert_header("Location", "/jobs/job_1");
        Mock::given(method("POST")).respond_with(see_other).mount(&server).await;
        let in_flight = json!({ "type": "about:blank", "status": problem, "code": "idempotency_in_flight" });
        let refusal = ResponseTemplate::new(problem).set_body_json(in_flight);
        Mock::given(path("/jobs/job_1")).respond_with(refusal).mount(&server).await;
        let builder = Client::builder().base_url(server.uri()).api_key(KEY).options(quick());
        let client = builder.http_client(own_client(http::HeaderMap::new(), None)).build().unwrap();
        let error = client.generate().topic("t").website_id("w").send().await.unwrap_err();
        assert_eq!((error.status().map(|status| status.as_u16()), error.attempts()), (Some(problem), 1), "{error:?}");
        assert_eq!(requests(&server).await.len(), 2);
    }
}

/// The response may come from another server.
#[cfg(feature = "rustls")]
#[tokio::test]
async fn a_response_behind_a_redirect_shows_nothing_about_idempotency_keys() {
    let elsewhere = json!({ "items": [] });
    for status in [200, 503] {
        let server = MockServer::start().await;
        let redirect = ResponseTemplate::new(307).insert_header("Location", "/elsewhere");
        Mock::given(path("/api/v1/websites")).respond_with(redirect).mount(&server).await;
        let answer = ResponseTemplate::new(status).set_body_json(&elsewhere);
        let answer = answer.insert_header("RateLimit-Policy", "\"api\";q=120;w=60");
        Mock::given(path("/elsewhere")).respond_with(answer).mount(&server).await;
        Mock::given(method("POST")).respond_with(ResponseTemplate::new(504)).mount(&server).await;
        let builder = Client::builder().base_url(server.uri()).api_key(KEY).options(quick().max_retries(1));
        let client = builder.http_client(own_client(http::HeaderMap::new(), None)).build().unwrap();
        let _list = client.list_websites().send().await;
        let error = client.generate().topic("t").website_id("w").send().await.unwrap_err();
        assert_eq!((error.status().map(|status| status.as_u16()), error.attempts()), (Some(504), 1), "{error:?}");
    }
}

#[tokio::test]
async fn a_proxy_that_the_application_names_is_asked_for_any_server() {
    let teapot = "HTTP/1.1 418 I'm a teapot\r\ncontent-length: 0\r\n\r\n";
    for server in ["http://content.example", "http://127.0.0.1:9"] {
        let (proxy, heads) = serve(vec![Act::Write(teapot)]);
        let proxy = proxy.replace("http://", "http://user:secret@");
        let builder = Client::builder().base_url(server).allow_plain_http().api_key(KEY).options(quick()).proxy(&proxy);
        assert!(!format!("{builder:?}").contains("secret"), "{builder:?}");
        let error = builder.build().unwrap().get_article("art_1").send().await.unwrap_err();
        assert_eq!(error.status().map(|status| status.as_u16()), Some(418), "{error}");
        let head = heads.recv().unwrap();
        assert!(head.starts_with(&format!("GET {server}/api/v1/articles/art_1 ")), "{head}");
        assert!(head.contains("proxy-authorization: Basic dXNlcjpzZWNyZXQ="), "{head}");
    }
    for proxy in ["secret", "ftp://secret", "http://"] {
        let error =
            Client::builder().base_url("https://content.example").api_key(KEY).proxy(proxy).build().unwrap_err();
        assert!(matches!(error, ConfigError::InvalidProxy(_)) && !error.to_string().contains("secret"), "{error}");
    }
}

#[tokio::test]
async fn options_can_be_read() {
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .and(path("/api/v1/websites"))
        .respond_with(ResponseTemplate::new(503))
        .mount(&server)
        .await;
    let client = client(&server.uri());
    let options = client.options();
    assert_eq!((options.max_retries, options.attempt_timeout), (3, Duration::from_secs(30)));
    assert_eq!((options.total_timeout, options.max_body_bytes), (Duration::from_secs(2 * 60), 8 * 1024 * 1024));
    assert_eq!((options.first_delay, options.longest_delay), (Duration::from_millis(1), Duration::from_millis(2)));
    assert_eq!((options.max_retry_after, options.server_keeps_idempotency_keys), (Duration::from_secs(60), false));
}
