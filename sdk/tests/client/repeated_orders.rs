//! Retries of a call that queues an article: only where that cannot queue a second one.

use std::time::Duration;

use contentgen_sdk::types::GenerateRequest;
use contentgen_sdk::{Client, Error, ErrorKind, RetrySafety};
use serde_json::json;
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::frozen_time::FrozenTime;
use super::scripted::{Act, next_request, serve};
use super::unused_address::UnusedAddress;
use super::{client, quick};

/// Starts a server that answers `generate` with these responses in order, then with a queued job.
async fn answering(responses: impl IntoIterator<Item = ResponseTemplate>) -> MockServer {
    let server = MockServer::start().await;
    let queued = ResponseTemplate::new(202).set_body_json(json!({ "job_id": "job_1" }));
    for response in responses {
        Mock::given(method("POST")).respond_with(response).up_to_n_times(1).mount(&server).await;
    }
    Mock::given(method("POST")).respond_with(queued).mount(&server).await;
    server
}

/// The response of a server that has seen the key before.
fn replayed() -> ResponseTemplate {
    replayed_as("true", 202)
}

/// A response with some value of the `Idempotency-Replayed` header.
fn replayed_as(value: &str, status: u16) -> ResponseTemplate {
    let response = ResponseTemplate::new(status).set_body_json(json!({ "job_id": "job_1" }));
    response.insert_header("Idempotency-Replayed", value)
}

async fn generate(client: &Client) -> Result<String, Error> {
    client.generate().topic("t").website_id("w").send().await.map(|queued| queued.job_id.clone())
}

async fn requests(server: &MockServer) -> usize {
    server.received_requests().await.expect("requests are recorded").len()
}

/// A load balancer times out after the commit: the server has queued the article, and ignores the key.
#[tokio::test]
async fn a_server_that_may_overlook_keys_is_sent_one_order() {
    for status in [408, 500, 502, 503, 504] {
        let server = answering([ResponseTemplate::new(status)]).await;
        let error = generate(&client(&server.uri())).await.unwrap_err();
        assert_eq!((error.status().unwrap().as_u16(), error.attempts()), (status, 1));
        assert_eq!(requests(&server).await, 1, "{status}");
        assert_eq!(error.retry_safety(), RetrySafety::MayDuplicate, "{error:?}");
        assert!(!error.is_retryable() && error.idempotency_key().is_some(), "{error:?}");
    }
}

#[tokio::test]
async fn an_order_whose_response_is_lost_is_not_sent_again() {
    let cut = "HTTP/1.1 202 Accepted\r\nContent-Length: 99\r\n\r\n{\"job_id\":";
    for (act, kind) in [
        (Act::Write(""), ErrorKind::Transport),
        (Act::Write(cut), ErrorKind::Transport),
        (Act::Hang(""), ErrorKind::Timeout),
    ] {
        let hangs = kind == ErrorKind::Timeout;
        let (url, requests) = serve(vec![act, Act::Write("")]);
        let client = client(&url).with_options(quick().attempt_timeout(Duration::from_secs(1)));
        let time = FrozenTime::begin();
        let time_passes = async {
            next_request(&requests).await;
            if hangs {
                time.pass(Duration::from_secs(2)).await;
            }
        };
        let (sent, ()) = tokio::join!(generate(&client), time_passes);
        let error = sent.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (kind, 1), "{error:?}");
        assert!(requests.try_recv().is_err(), "it was sent again");
    }
}

#[tokio::test]
async fn what_queued_nothing_is_repeated_on_any_server() {
    let in_flight = || ResponseTemplate::new(409).set_body_json(json!({ "code": "idempotency_in_flight" }));
    for response in [ResponseTemplate::new(429), in_flight()] {
        let server = answering([response]).await;
        assert_eq!(generate(&client(&server.uri())).await.unwrap(), "job_1");
        assert_eq!(requests(&server).await, 2);
    }
    let unused = UnusedAddress::reserve();
    let error = generate(&client(&unused.url)).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Connect, 4));
}

#[tokio::test]
async fn a_repetition_after_a_quota_is_not_repeated_after_a_failure() {
    let server = answering([ResponseTemplate::new(429), ResponseTemplate::new(504)]).await;
    let error = generate(&client(&server.uri())).await.unwrap_err();
    assert_eq!((error.status().unwrap().as_u16(), error.attempts()), (504, 2));
    assert_eq!(error.retry_safety(), RetrySafety::MayDuplicate);
}

/// A loop such as `.retry(|error| error.is_retryable())` makes a new key for each call.
#[tokio::test]
async fn a_call_may_be_made_again_as_it_is_only_if_it_queued_nothing() {
    let keeps = || quick().server_keeps_idempotency_keys(true).max_retries(1);
    let in_flight = || ResponseTemplate::new(409).set_body_json(json!({ "code": "idempotency_in_flight" }));
    let cases = [
        (quick().max_retries(0), vec![ResponseTemplate::new(429)], RetrySafety::Safe),
        (keeps(), vec![ResponseTemplate::new(429), ResponseTemplate::new(429)], RetrySafety::Safe),
        (quick().max_retries(0), vec![in_flight()], RetrySafety::SafeWithSameKey),
        (keeps(), vec![ResponseTemplate::new(503), ResponseTemplate::new(504)], RetrySafety::SafeWithSameKey),
        // The first attempt may have queued the article, although the second one was refused.
        (keeps(), vec![ResponseTemplate::new(503), ResponseTemplate::new(429)], RetrySafety::SafeWithSameKey),
        (keeps(), vec![ResponseTemplate::new(503), ResponseTemplate::new(422)], RetrySafety::Never),
        (quick(), vec![ResponseTemplate::new(503)], RetrySafety::MayDuplicate),
        (quick(), vec![ResponseTemplate::new(422)], RetrySafety::Never),
    ];
    for (options, responses, safety) in cases {
        let server = answering(responses).await;
        let error = generate(&client(&server.uri()).with_options(options)).await.unwrap_err();
        assert_eq!((error.retry_safety(), error.is_retryable()), (safety, safety == RetrySafety::Safe), "{error}");
    }
}

/// The job continues after the wait.
#[tokio::test]
async fn a_wait_that_has_queued_a_job_is_not_made_again() {
    for (keeps, safety) in [(false, RetrySafety::MayDuplicate), (true, RetrySafety::SafeWithSameKey)] {
        let server = answering([]).await;
        let client = client(&server.uri()).with_options(quick().server_keeps_idempotency_keys(keeps));
        let request = || GenerateRequest::new().topic("t").website_id("w");
        let (time, step, limit) = (FrozenTime::begin(), Duration::from_millis(250), Duration::from_secs(20));
        let wait = client.generate_and_wait(request()).timeout(limit).into_future();
        let error = time.pass_until_ended(step, wait).await.unwrap_err();
        assert_eq!((error.kind(), error.job_id()), (ErrorKind::WaitTimeout, Some("job_1")), "{error:?}");
        assert_eq!((error.retry_safety(), error.is_retryable()), (safety, false));
        let sent = server.received_requests().await.expect("requests are recorded");
        assert_eq!(error.idempotency_key(), sent[0].headers["idempotency-key"].to_str().ok());
        let wait = client.wait_for_article("job_1").timeout(limit).into_future();
        let error = time.pass_until_ended(step, wait).await.unwrap_err();
        assert_eq!((error.kind(), error.retry_safety()), (ErrorKind::WaitTimeout, RetrySafety::Safe), "{error:?}");
    }
}

#[tokio::test]
async fn a_server_that_has_shown_that_it_keeps_keys_is_sent_the_order_again() {
    let server = answering([replayed(), ResponseTemplate::new(504), ResponseTemplate::new(503)]).await;
    let client = client(&server.uri());
    generate(&client).await.unwrap();
    // All clients on the same connections share that state.
    let other = client.clone().with_options(quick());
    assert_eq!(generate(&other).await.unwrap(), "job_1");
    assert_eq!(requests(&server).await, 4);
    // Another client does not have that state.
    let server = answering([ResponseTemplate::new(504)]).await;
    assert_eq!(generate(&super::client(&server.uri())).await.unwrap_err().attempts(), 1);
}

#[tokio::test]
async fn a_call_on_its_way_learns_that_the_server_keeps_keys() {
    let in_flight = ResponseTemplate::new(409).set_body_json(json!({ "code": "idempotency_in_flight" }));
    let server = answering([in_flight, ResponseTemplate::new(504)]).await;
    assert_eq!(generate(&client(&server.uri())).await.unwrap(), "job_1");
    assert_eq!(requests(&server).await, 3);
}

/// Starts a server with one response for lists, and a load balancer that times out on the first `generate`.
async fn listing(response: ResponseTemplate) -> MockServer {
    let server = answering([ResponseTemplate::new(504)]).await;
    Mock::given(method("GET")).respond_with(response).mount(&server).await;
    server
}

/// A problem document.
fn problem(status: u16, code: &str, media_type: &str) -> ResponseTemplate {
    ResponseTemplate::new(status).set_body_raw(json!({ "code": code }).to_string(), media_type)
}

/// A list with quotas.
fn with_quotas(policy: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({ "items": [] })).insert_header("RateLimit-Policy", policy)
}

#[tokio::test]
async fn any_response_of_the_whole_document_shows_that_the_server_keeps_keys() {
    for response in [
        with_quotas("\"api\";q=120;w=60"),
        with_quotas("\"day\";q=9;w=86400, \"generate\";q=20;w=60"),
        problem(401, "invalid_credentials", "application/problem+json"),
        problem(404, "lead_not_found", "Application/Problem+JSON; charset=utf-8"),
        ResponseTemplate::new(304).insert_header("RateLimit-Policy", "\"api\";q=120;w=60"),
    ] {
        let server = listing(response).await;
        let client = client(&server.uri());
        let _list = client.list_websites().send().await;
        assert_eq!(generate(&client).await.unwrap(), "job_1");
        assert_eq!(requests(&server).await, 3);
    }
    // The failure itself can show it.
    let server = answering([problem(503, "unavailable", "application/problem+json"), ResponseTemplate::new(504)]).await;
    assert_eq!(generate(&client(&server.uri())).await.unwrap(), "job_1");
    // A response that breaks off has complete headers.
    let cut =
        "HTTP/1.1 202 Accepted\r\nRateLimit-Policy: \"generate\";q=20;w=60\r\nContent-Length: 99\r\n\r\n{\"job_id\":";
    let whole = "HTTP/1.1 202 Accepted\r\nContent-Length: 18\r\n\r\n{\"job_id\":\"job_1\"}";
    let (url, _requests) = serve(vec![Act::Write(cut), Act::Write(whole)]);
    assert_eq!(generate(&client(&url)).await.unwrap(), "job_1");
}

#[tokio::test]
async fn responses_that_another_api_may_send_show_nothing() {
    for response in [
        with_quotas("\"default\";q=120;w=60"),
        with_quotas("120;w=60"),
        problem(401, "invalid_credentials", "application/json"),
        problem(401, "wrong_key", "application/problem+json"),
        problem(401, "", "application/problem+json"),
        ResponseTemplate::new(200).set_body_json(json!({ "items": [] })).insert_header("X-Request-Id", "req_1"),
    ] {
        let server = listing(response).await;
        let client = client(&server.uri());
        let _list = client.list_websites().send().await;
        let error = generate(&client).await.unwrap_err();
        assert_eq!((error.attempts(), error.retry_safety()), (1, RetrySafety::MayDuplicate), "{error}");
    }
    // A path outside of the document may have other rules.
    let server = listing(with_quotas("\"api\";q=120;w=60")).await;
    let client = client(&server.uri());
    client.request(http::Method::GET, "/other").send().await.unwrap();
    assert_eq!(generate(&client).await.unwrap_err().attempts(), 1);
}

#[tokio::test]
async fn the_caller_can_say_that_the_server_keeps_keys() {
    let server = answering([500, 503, 504].map(ResponseTemplate::new)).await;
    let client = client(&server.uri()).with_options(quick().server_keeps_idempotency_keys(true));
    assert_eq!(generate(&client).await.unwrap(), "job_1");
    assert_eq!(requests(&server).await, 4);
}

#[tokio::test]
async fn only_a_response_that_was_replayed_shows_that_the_server_keeps_keys() {
    for responses in
        [[replayed_as("false", 202), replayed_as("false", 504)], [replayed_as("", 202), replayed_as("?1", 504)]]
    {
        let server = answering(responses).await;
        let client = client(&server.uri());
        generate(&client).await.unwrap();
        assert_eq!(generate(&client).await.unwrap_err().attempts(), 1);
        assert_eq!(requests(&server).await, 2);
    }
}

/// Another path may keep keys while `generate` ignores them, and the other way round.
#[tokio::test]
async fn what_is_shown_of_keys_counts_for_generate_only() {
    let in_flight = ResponseTemplate::new(409).set_body_json(json!({ "code": "idempotency_in_flight" }));
    for shown in [replayed(), in_flight] {
        let server = answering([shown, ResponseTemplate::new(504)]).await;
        let client = client(&server.uri()).with_options(quick().max_retries(0));
        let other = || client.request(http::Method::POST, "/api/v1/other").idempotency_key("row-7");
        let _shown = other().send().await;
        let error = generate(&client.with_options(quick())).await.unwrap_err();
        assert_eq!((error.status().unwrap().as_u16(), error.attempts()), (504, 1));
    }
    let server = answering([replayed(), ResponseTemplate::new(504)]).await;
    let client = client(&server.uri());
    generate(&client).await.unwrap();
    let other = client.request(http::Method::POST, "/api/v1/other").idempotency_key("row-7");
    assert_eq!(other.send().await.unwrap_err().attempts(), 1);
}
