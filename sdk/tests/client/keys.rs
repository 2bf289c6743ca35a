//! Idempotency keys: which keys of the caller are valid, and the key of a failed call.

use std::time::Duration;

use contentgen_sdk::{Client, Error, ErrorKind};
use proptest::prelude::*;
use serde_json::json;
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::document::Document;
use super::frozen_time::FrozenTime;
use super::scripted::{Act, next_request, serve};
use super::{client, quick};

/// Starts a server with one response for every request.
async fn answering(answer: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("POST")).respond_with(answer).mount(&server).await;
    server
}

/// Returns the keys of the received requests, in order of arrival.
async fn received(server: &MockServer) -> Vec<String> {
    let requests = server.received_requests().await.expect("the server records requests");
    let key = |headers: &wiremock::http::HeaderMap| headers["idempotency-key"].to_str().map(str::to_owned);
    requests.iter().map(|request| key(&request.headers).expect("a key is text")).collect()
}

async fn generate(client: &Client, key: Option<&str>) -> Result<String, Error> {
    let mut request = client.generate().topic("t").website_id("w");
    if let Some(key) = key {
        request = request.idempotency_key(key);
    }
    request.send().await.map(|queued| queued.job_id.clone())
}

#[test]
fn every_key_of_the_documents_pattern_is_sent_as_it_is() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let server = runtime.block_on(answering(ResponseTemplate::new(202).set_body_json(json!({ "job_id": "job_1" }))));
    let client = client(&server.uri());
    let document = Document::read();
    let pattern = document.parameter_pattern("IdempotencyKey");
    let sent = std::cell::RefCell::new(Vec::new());
    proptest!(ProptestConfig::with_cases(64), |(key in proptest::string::string_regex(pattern).unwrap())| {
        prop_assert!(runtime.block_on(generate(&client, Some(&key))).is_ok(), "{key:?}");
        sent.borrow_mut().push(key);
    });
    assert_eq!(runtime.block_on(received(&server)), sent.into_inner());
}

#[tokio::test]
async fn what_is_no_key_is_refused_before_it_is_sent() {
    let server = answering(ResponseTemplate::new(503)).await;
    let client = client(&server.uri());
    let too_long = ["k".repeat(256), format!("\"{}\"", "k".repeat(256))];
    let odd = [
        "", " ", "a b", "a,b", "a;b", "a\\b", "a\"b", "\"", "\"\"", "\"a", "a\"", "\"a\"b\"", "\"\\a\"", "\"a\\\"",
        "é", "\t",
    ];
    for key in odd.into_iter().chain(too_long.iter().map(String::as_str)) {
        let error = generate(&client, Some(key)).await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidRequest, 0), "{key:?}: {error:?}");
    }
    assert!(received(&server).await.is_empty());
}

#[tokio::test]
async fn an_error_names_the_key_that_the_call_was_sent_with() {
    let answers = [
        ResponseTemplate::new(503),
        ResponseTemplate::new(422).set_body_json(json!({ "code": "website_inactive", "status": 422 })),
        ResponseTemplate::new(202).set_body_string("{ \"job_id\": "),
        ResponseTemplate::new(202).set_body_string("x".repeat(100_000)),
        ResponseTemplate::new(302),
    ];
    for answer in answers {
        let server = answering(answer).await;
        let client = client(&server.uri()).with_options(quick().max_body_bytes(50_000));
        let made = generate(&client, None).await.unwrap_err();
        let own = generate(&client, Some("row-7")).await.unwrap_err();
        assert_eq!(own.idempotency_key(), Some("row-7"), "{own:?}");
        let received = received(&server).await;
        assert_eq!(made.idempotency_key(), Some(received[0].as_str()), "{made:?}");
        assert_eq!(received.last().map(String::as_str), Some("row-7"));
        assert!(!format!("{made} {made:?}").contains(&received[0]), "{made:?}");
    }
}

#[tokio::test]
async fn a_call_that_has_no_key_names_none() {
    let server = MockServer::start().await;
    let error = client(&server.uri()).get_article("art_1").send().await.unwrap_err();
    assert_eq!(error.idempotency_key(), None);
}

#[tokio::test]
async fn a_wait_that_ends_before_a_job_is_confirmed_names_its_key() {
    for own in [None, Some("row-8")] {
        let (url, requests) = serve(vec![Act::Hang("")]);
        let client = client(&url);
        let mut order = client.generate().topic("t").website_id("w");
        if let Some(own) = own {
            order = order.idempotency_key(own);
        }
        let time = FrozenTime::begin();
        let time_passes = async {
            let head = next_request(&requests).await;
            time.pass(Duration::from_secs(4)).await;
            head
        };
        let wait = order.send_and_wait().timeout(Duration::from_secs(3)).into_future();
        let (ended, head) = tokio::join!(wait, time_passes);
        let error = ended.unwrap_err();
        assert!(error.is_timeout() && error.job_id().is_none(), "{error:?}");
        let key = error.idempotency_key().unwrap();
        assert_eq!(own.unwrap_or(key), key);
        assert!(head.contains(&format!("idempotency-key: {key}\r\n")), "{head}");
    }
}

/// A call that is dropped has no error that could contain its key.
#[tokio::test]
async fn the_key_of_a_call_that_is_dropped_is_known_before_it_is_sent() {
    for own in [None, Some("row-9")] {
        let (url, requests) = serve(vec![Act::Hang("")]);
        let client = client(&url);
        let mut request = client.generate().topic("t").website_id("w");
        if let Some(own) = own {
            request = request.idempotency_key(own);
        }
        let key = request.ensure_idempotency_key().unwrap();
        assert_eq!((own.unwrap_or(&key), key.len()), (key.as_str(), own.map_or(36, str::len)));
        assert_eq!(request.ensure_idempotency_key().unwrap(), key);
        let head = tokio::select! {
            sent = request.send() => panic!("the server never responds, but {sent:?}"),
            head = next_request(&requests) => head,
        };
        assert!(head.contains(&format!("idempotency-key: {key}\r\n")), "{head}");
    }
}
