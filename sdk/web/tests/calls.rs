//! The crate inside of JavaScript: what its clocks, timers, randomness and connections are needed for, against a demonstration
//! server (`CONTENTGEN_BASE_URL`, `CONTENTGEN_API_KEY`, `CONTENTGEN_WEBSITE_ID`) and against servers of Node.js that behave badly.
#![cfg(all(target_arch = "wasm32", target_os = "unknown"))]

use std::collections::BTreeSet;
use std::future::IntoFuture as _;
use std::time::Duration;

use contentgen_sdk::types::GenerateRequest;
use contentgen_sdk::webhook::{Verifier, VerifyError};
use contentgen_sdk::{Client, Error, ErrorKind, RequestOptions};
use futures_util::future::join_all;
use http::HeaderMap;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

/// The value of a JavaScript expression, once it has one.
async fn script(source: &str) -> String {
    let value = js_sys::Promise::resolve(&js_sys::eval(source).expect("the script runs"));
    JsFuture::from(value).await.expect("the promise is kept").as_string().expect("the script gives a text")
}

/// A variable of the environment.
async fn variable(name: &str) -> String {
    script(&format!("process.env.{name}")).await
}

fn client(base_url: &str, key: &str) -> Client {
    let quick = RequestOptions::default().backoff(Duration::from_millis(1), Duration::from_millis(5));
    Client::builder().base_url(base_url).api_key(key).options(quick).build().expect("the configuration is right")
}

async fn demonstration() -> Client {
    client(&variable("CONTENTGEN_BASE_URL").await, &variable("CONTENTGEN_API_KEY").await)
}

/// A client of a server that answers as a JavaScript function of request and response says.
async fn answered_by(function: &str) -> Client {
    let source = format!(
        "new Promise(done => {{
            const server = process.getBuiltinModule('node:http').createServer({function});
            server.listen(0, '127.0.0.1', () => done('http://127.0.0.1:' + server.address().port));
            server.unref();
        }})"
    );
    client(&script(&source).await, "a-key")
}

/// Futures can be handed to whatever asks for `Send`.
fn sendable<F: Future + Send>(future: F) -> F {
    future
}

#[wasm_bindgen_test]
async fn an_article_is_queued_and_waited_for() {
    let client = demonstration().await;
    let request =
        GenerateRequest::new().topic("Rye bread in winter").website_id(variable("CONTENTGEN_WEBSITE_ID").await);
    let mut told = Vec::new();
    let wait = client.generate_and_wait(request).on_progress(|job| told.push(job.status.to_string()));
    let article = sendable(wait.into_future()).await.expect("the article is written");
    assert!(article.title.is_some(), "{article:?}");
    assert!(article.request_id().is_some());
    assert_eq!(told.last().map(String::as_str), Some("completed"));
}

#[wasm_bindgen_test]
async fn calls_go_on_beside_one_another_and_each_has_a_key_of_its_own() {
    let client = demonstration().await;
    let website = variable("CONTENTGEN_WEBSITE_ID").await;
    let request = || GenerateRequest::new().topic("The same topic").website_id(&website);
    let calls = (0..16).map(|_| sendable(client.generate().body(request()).send()));
    let jobs: BTreeSet<String> =
        join_all(calls).await.into_iter().map(|queued| queued.expect("it is queued").job_id.clone()).collect();
    assert_eq!(jobs.len(), 16, "two calls had the same idempotency key");
}

#[wasm_bindgen_test]
async fn lists_are_walked_over() {
    let client = demonstration().await;
    let mut websites = client.list_websites().limit(1).items();
    let mut count = 0;
    while let Some(website) = websites.next().await {
        website.expect("the page is answered");
        count += 1;
    }
    assert!(count >= 1);
}

#[wasm_bindgen_test]
async fn a_wrong_key_is_refused() {
    let client = client(&variable("CONTENTGEN_BASE_URL").await, "not-this-one");
    let error = client.get_job("job_1").send().await.expect_err("the key is wrong");
    assert_eq!((error.kind(), error.status().map(|status| status.as_u16())), (ErrorKind::Api, Some(401)), "{error}");
    assert!(error.request_id().is_some());
}

#[wasm_bindgen_test]
async fn a_failed_attempt_is_repeated_with_the_same_key() {
    let client = answered_by(
        "(keys => (request, response) => {
            keys.push(request.headers['idempotency-key']);
            const again = keys.length < 3;
            response.writeHead(again ? 429 : 202, {'Content-Type': 'application/json'});
            response.end(again ? '' : JSON.stringify({job_id: new Set(keys).size + ' ' + keys[0]}));
        })([])",
    );
    let request = GenerateRequest::new().topic("Rye").website_id("web_1");
    let queued = client.await.generate().body(request).send().await.expect("the third attempt succeeds");
    let (different, key) = queued.job_id.split_once(' ').expect("the server tells both");
    assert_eq!((different, key.len()), ("1", 36), "{key}");
}

#[wasm_bindgen_test]
async fn a_date_before_all_clocks_is_no_obstacle() {
    let client = answered_by(
        "(count => (request, response) => {
            response.writeHead(count++ ? 200 : 503, {'Retry-After': 'Wed, 31 Dec 1969 23:59:59 GMT'});
            response.end(JSON.stringify({items: []}));
        })(0)",
    );
    client.await.list_websites().send().await.expect("the second attempt succeeds");
}

/// What a call to a server fails with, and after how many attempts.
async fn failure(client: &Client) -> (ErrorKind, u32, Error) {
    let error = client.get_job("job_1").send().await.expect_err("the server behaves badly");
    (error.kind(), error.attempts(), error)
}

#[wasm_bindgen_test]
async fn a_server_that_never_answers_is_given_up() {
    let client = answered_by("() => {}").await;
    let limits = RequestOptions::default().attempt_timeout(Duration::from_millis(50)).max_retries(0);
    let (kind, attempts, error) = failure(&client.with_options(limits)).await;
    assert_eq!((kind, attempts), (ErrorKind::Timeout, 1), "{error}");
    assert!(error.is_timeout());
}

#[wasm_bindgen_test]
async fn nobody_there_is_an_error_after_all_attempts() {
    let (kind, attempts, error) = failure(&client("http://127.0.0.1:1", "a-key")).await;
    assert_eq!((kind, attempts), (ErrorKind::Transport, 4), "{error}");
}

#[wasm_bindgen_test]
async fn an_answer_that_breaks_off_is_an_error_after_all_attempts() {
    let client = answered_by(
        "(request, response) => {
            response.writeHead(200, {'Content-Type': 'application/json', 'Content-Length': 1000});
            response.write('{', () => request.socket.destroy());
        }",
    );
    let (kind, attempts, error) = failure(&client.await).await;
    assert_eq!((kind, attempts), (ErrorKind::Transport, 4), "{error}");
}

#[wasm_bindgen_test]
async fn an_endless_answer_is_read_up_to_the_limit() {
    let client = answered_by(
        "(request, response) => {
            const more = () => { while (!response.destroyed && response.write('x'.repeat(65536))); };
            response.writeHead(200, {'Content-Type': 'application/json'});
            response.on('drain', more);
            more();
        }",
    );
    let client = client.await.with_options(RequestOptions::default().max_body_bytes(1_000_000));
    let (kind, attempts, error) = failure(&client).await;
    assert_eq!((kind, attempts), (ErrorKind::TooLarge, 1), "{error}");
}

#[wasm_bindgen_test]
async fn limits_that_no_timer_can_tell_are_none() {
    let forever = RequestOptions::default().attempt_timeout(Duration::MAX).total_timeout(Duration::MAX);
    let client = demonstration().await.with_options(forever);
    client.list_websites().send().await.expect("the server answers");
}

#[wasm_bindgen_test]
fn hooks_are_verified_by_the_clock_of_javascript() {
    // The signature was made in 2022.
    let hook = [
        ("webhook-id", "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk"),
        ("webhook-timestamp", "1649367553"),
        ("webhook-signature", "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw="),
    ];
    let mut headers = HeaderMap::new();
    for (name, value) in hook {
        headers.insert(name, value.parse().expect("it is a header"));
    }
    let body = br#"{"email":"test@example.com","username":"test_user"}"#;
    let verifier = Verifier::new(["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"]).expect("the secret is one");
    assert!(matches!(verifier.verify(&headers, body), Err(VerifyError::TooOld)));
    assert!(verifier.tolerance(Duration::MAX).verify(&headers, body).is_ok());
}
