//! Clients with different keys on the same connections: they share evidence about the server, and each has its own retry budget.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use contentgen_sdk::{Client, ConfigError, ErrorKind};
use serde_json::json;
use wiremock::matchers::{header, method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::{KEY, client, quick};

/// Another key than that of the other tests.
const OTHER_KEY: &str = "live_7k2mSecretOfTheTests";

/// Starts a server that sends an empty list for each request. Returns its address and the number of its connections.
fn counting() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port is free");
    let address = listener.local_addr().expect("a bound listener has an address");
    let connections = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&connections);
    std::thread::spawn(move || {
        while let Ok((mut connection, _)) = listener.accept() {
            count.fetch_add(1, Ordering::Relaxed);
            std::thread::spawn(move || {
                let (mut head, mut byte) = (Vec::new(), [0]);
                while matches!(connection.read(&mut byte), Ok(1)) {
                    head.extend_from_slice(&byte);
                    if head.ends_with(b"\r\n\r\n") {
                        head.clear();
                        let response = b"HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n{\"items\":[]}";
                        connection.write_all(response).expect("the client reads");
                    }
                }
            });
        }
    });
    (format!("http://{address}"), connections)
}

#[tokio::test]
async fn clients_with_different_keys_share_the_connections() {
    let (base_url, connections) = counting();
    let agency = Client::builder().base_url(base_url).without_key().build().unwrap();
    for number in 0..50 {
        let client = agency.with_api_key(format!("live_{number}")).unwrap();
        client.list_websites().send().await.unwrap();
    }
    assert_eq!(connections.load(Ordering::Relaxed), 1);
    assert_eq!(agency.list_websites().send().await.unwrap_err().kind(), ErrorKind::Config);
}

#[tokio::test]
async fn each_client_sends_and_hides_its_own_key_and_keeps_the_options() {
    let server = MockServer::start().await;
    let other =
        client(&server.uri()).with_options(quick().max_retries(7)).with_api_key(format!(" {OTHER_KEY}\n")).unwrap();
    assert_eq!(other.options().max_retries, 7);
    Mock::given(header("authorization", format!("Bearer {OTHER_KEY}").as_str()))
        .respond_with(ResponseTemplate::new(400).set_body_string(format!("the key {OTHER_KEY} is odd")))
        .mount(&server)
        .await;
    let error = other.get_job("job_1").send().await.unwrap_err();
    assert_eq!(error.status().unwrap().as_u16(), 400);
    let shown = format!("{error} {error:?} {:?} {other:?}", error.body_excerpt());
    assert!(shown.contains("[redacted]") && !shown.contains(OTHER_KEY) && !shown.contains(KEY), "{shown}");
    assert!(matches!(other.with_api_key(" "), Err(ConfigError::MissingKey)));
    assert!(matches!(other.with_api_key("a b"), Err(ConfigError::InvalidKey)));
}

/// It is the same server, so all keys learn from one response that it keeps idempotency keys.
#[tokio::test]
async fn evidence_about_the_server_counts_for_all_keys() {
    let server = MockServer::start().await;
    Mock::given(method("POST")).respond_with(ResponseTemplate::new(503)).mount(&server).await;
    let quotas = ResponseTemplate::new(200).insert_header("RateLimit-Policy", "\"api\";q=600;w=60");
    Mock::given(method("GET")).respond_with(quotas.set_body_json(json!({ "items": [] }))).mount(&server).await;
    let first = client(&server.uri());
    let second = first.with_api_key(OTHER_KEY).unwrap();
    let queue = async || second.generate().topic("t").website_id("w").send().await.unwrap_err().attempts();
    assert_eq!(queue().await, 1);
    first.list_websites().send().await.unwrap();
    assert_eq!(queue().await, 4);
}

/// One key over its quota does not use up the retries of the others.
#[tokio::test]
async fn each_key_has_its_own_retry_budget() {
    let server = MockServer::start().await;
    Mock::given(path("/api/v1/jobs/down")).respond_with(ResponseTemplate::new(429)).mount(&server).await;
    let builder = Client::builder().base_url(server.uri()).api_key(KEY).options(quick());
    let first = builder.retry_budget(4).build().unwrap();
    let second = first.with_api_key(OTHER_KEY).unwrap();
    let attempts = async |client: &Client| client.get_job("down").send().await.unwrap_err().attempts();
    assert_eq!([attempts(&first).await, attempts(&first).await, attempts(&first).await], [4, 2, 1]);
    let third = first.with_api_key(OTHER_KEY).unwrap();
    for client in [second, third] {
        assert_eq!([attempts(&client).await, attempts(&client).await, attempts(&client).await], [4, 2, 1]);
    }
}
