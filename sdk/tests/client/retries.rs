//! Retries: their conditions, number and delays, and the parts of a request that stay the same.

use std::time::Duration;

use contentgen_sdk::{Client, ErrorKind, RetrySafety};
use serde_json::json;
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::frozen_time::FrozenTime;
use super::scripted::{Act, serve};
use super::unused_address::UnusedAddress;
use super::{client, quick};

/// Starts a server that answers calls to `generate` with these statuses in order, then with success.
async fn failing(statuses: &[u16], retry_after: Option<&str>) -> MockServer {
    let server = MockServer::start().await;
    for status in statuses {
        let mut answer = ResponseTemplate::new(*status);
        if let Some(retry_after) = retry_after {
            answer = answer.insert_header("Retry-After", retry_after);
        }
        Mock::given(path("/api/v1/generate")).respond_with(answer).up_to_n_times(1).mount(&server).await;
    }
    Mock::given(path("/api/v1/generate"))
        .respond_with(ResponseTemplate::new(202).set_body_json(json!({ "job_id": "job_1" })))
        .mount(&server)
        .await;
    server
}

/// Makes a client for a server that keeps idempotency keys.
fn keeping(server: &MockServer) -> Client {
    client(&server.uri()).with_options(quick().server_keeps_idempotency_keys(true))
}

/// Returns the idempotency keys that a server has received.
async fn keys(server: &MockServer) -> Vec<String> {
    let requests = server.received_requests().await.expect("requests are recorded");
    requests
        .iter()
        .map(|request| request.headers["idempotency-key"].to_str().expect("a key is text").to_owned())
        .collect()
}

#[tokio::test]
async fn passing_failures_are_repeated_with_the_same_idempotency_key() {
    let server = failing(&[500, 502, 503], None).await;
    let queued = keeping(&server).generate().topic("t").website_id("w").send().await.unwrap();
    assert_eq!(queued.job_id, "job_1");
    let keys = keys(&server).await;
    assert_eq!(keys.len(), 4);
    assert!(keys.iter().all(|key| *key == keys[0] && key.len() == 36), "{keys:?}");
}

#[tokio::test]
async fn a_repeated_request_is_the_same_in_all_its_parts() {
    let server = failing(&[503, 503], None).await;
    for answer in [ResponseTemplate::new(503), ResponseTemplate::new(304)] {
        Mock::given(method("GET")).respond_with(answer).up_to_n_times(1).mount(&server).await;
    }
    let client = keeping(&server);
    let generate = client.generate().topic("t").website_id("w").keywords(["a", "b"]).prefer("handling=strict");
    generate.send().await.unwrap();
    let unchanged = client.list_leads().website_id("w").limit(7).send().await.unwrap_err();
    assert_eq!(unchanged.kind(), ErrorKind::NotModified);
    let requests = server.received_requests().await.expect("requests are recorded");
    assert_eq!(requests.len(), 5);
    for attempts in [&requests[..3], &requests[3..]] {
        let parts = |at: usize| (&attempts[at].method, &attempts[at].url, &attempts[at].headers, &attempts[at].body);
        assert!((1..attempts.len()).all(|at| parts(at) == parts(0)), "{attempts:#?}");
    }
    assert_eq!(requests[4].url.query(), Some("website_id=w&limit=7"));
    assert!(requests.iter().all(|request| request.headers["accept"] == "application/json"));
}

#[tokio::test]
async fn cancelling_is_repeated_since_a_cancelled_job_stays_cancelled() {
    let server = MockServer::start().await;
    Mock::given(path("/api/v1/jobs/job_1/cancel")).respond_with(ResponseTemplate::new(503)).mount(&server).await;
    let error = client(&server.uri()).cancel_job("job_1").send().await.unwrap_err();
    assert_eq!(error.attempts(), 4);
    let requests = server.received_requests().await.unwrap();
    assert!(requests.iter().all(|request| !request.headers.contains_key("idempotency-key")));
}

#[tokio::test]
async fn two_calls_have_different_idempotency_keys() {
    let server = failing(&[], None).await;
    let client = client(&server.uri());
    for _ in 0..2 {
        client.generate().topic("t").website_id("w").send().await.unwrap();
    }
    let keys = keys(&server).await;
    assert_ne!(keys[0], keys[1]);
}

#[tokio::test]
async fn a_key_of_the_callers_own_is_sent_as_it_is() {
    let server = failing(&[408, 429, 504], None).await;
    keeping(&server).generate().topic("t").website_id("w").idempotency_key("row-7").send().await.unwrap();
    assert_eq!(keys(&server).await, ["row-7"; 4]);
}

#[tokio::test]
async fn retries_end_when_they_are_used_up() {
    let server = failing(&[503; 9], None).await;
    let error = keeping(&server).generate().topic("t").website_id("w").send().await.unwrap_err();
    assert_eq!((error.status().unwrap().as_u16(), error.attempts()), (503, 4));
    assert_eq!(error.retry_safety(), RetrySafety::SafeWithSameKey);
    assert!(error.to_string().contains("after 4 attempts"), "{error}");
}

/// Statuses by which proxies and content delivery networks say that they could not reach the server.
#[tokio::test]
async fn a_read_is_repeated_after_every_status_that_may_pass() {
    for status in [408, 425, 429, 500, 502, 503, 504, 520, 522, 524, 527, 529, 530, 598, 599] {
        let server = MockServer::start().await;
        Mock::given(method("GET")).respond_with(ResponseTemplate::new(status)).mount(&server).await;
        let error = client(&server.uri()).get_job("job_1").send().await.unwrap_err();
        assert_eq!((error.attempts(), error.is_retryable()), (4, true), "{status}");
        let server = failing(&[status], None).await;
        let error = client(&server.uri()).generate().topic("t").website_id("w").send().await.err();
        assert_eq!(error.map(|error| error.retry_safety()), (status != 429).then_some(RetrySafety::MayDuplicate));
    }
}

#[tokio::test]
async fn refusals_are_not_repeated() {
    for status in [400, 401, 403, 404, 409, 413, 422, 501] {
        let server = failing(&[status; 2], None).await;
        let error = client(&server.uri()).generate().topic("t").website_id("w").send().await.unwrap_err();
        assert_eq!((error.status().unwrap().as_u16(), error.attempts()), (status, 1));
        assert!(!error.is_retryable());
    }
}

#[tokio::test]
async fn a_request_that_is_in_flight_elsewhere_is_asked_for_again() {
    let server = MockServer::start().await;
    let problem = json!({ "code": "idempotency_in_flight", "status": 409 });
    Mock::given(method("POST"))
        .respond_with(ResponseTemplate::new(409).set_body_json(problem))
        .up_to_n_times(1)
        .mount(&server)
        .await;
    Mock::given(method("POST"))
        .respond_with(ResponseTemplate::new(202).set_body_json(json!({ "job_id": "job_1" })))
        .mount(&server)
        .await;
    assert!(client(&server.uri()).generate().topic("t").website_id("w").send().await.is_ok());
}

#[tokio::test]
async fn no_retry_comes_before_the_time_that_the_server_asks_for() {
    let server = failing(&[429], Some("1")).await;
    let client = client(&server.uri());
    let time = FrozenTime::begin();
    let call = client.generate().topic("t").website_id("w").send();
    time.pass_until_ended(Duration::from_millis(10), call).await.unwrap();
    assert!(time.passed() >= Duration::from_secs(1), "{:?}", time.passed());
}

#[tokio::test]
async fn a_longer_pause_than_the_options_allow_is_the_callers_to_wait() {
    let server = failing(&[429; 2], Some("3600")).await;
    let error = client(&server.uri()).generate().topic("t").website_id("w").send().await.unwrap_err();
    assert_eq!((error.attempts(), error.retry_after()), (1, Some(Duration::from_hours(1))));
}

/// An application adds the delay to a clock or passes it to a timer.
#[tokio::test]
async fn no_server_asks_for_a_longer_pause_than_a_week() {
    let week = Duration::from_secs(7 * 24 * 60 * 60);
    for text in ["604801", "18446744073709551615", "99999999999999999999999", "Fri, 31 Dec 2999 23:59:59 GMT"] {
        let server = failing(&[429; 2], Some(text)).await;
        let error = client(&server.uri()).generate().topic("t").website_id("w").send().await.unwrap_err();
        assert_eq!((error.attempts(), error.retry_after()), (1, Some(week)), "{text}");
    }
}

#[tokio::test]
async fn a_date_that_has_passed_asks_for_no_pause() {
    let server = failing(&[503], Some("Sun, 06 Nov 1994 08:49:37 GMT")).await;
    assert!(keeping(&server).generate().topic("t").website_id("w").send().await.is_ok());
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_asked_for_again() {
    let short = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"id\":";
    let whole = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{\"id\":\"art_1\"}";
    let (url, _requests) = serve(vec![Act::Write(short), Act::Write(""), Act::Write(whole)]);
    let article = client(&url).get_article("art_1").send().await.unwrap();
    assert_eq!(article.id.as_deref(), Some("art_1"));
}

#[tokio::test]
async fn an_attempt_that_takes_too_long_is_a_time_out() {
    let (url, _requests) = serve(vec![Act::Hang("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"), Act::Hang("")]);
    let options = quick().attempt_timeout(Duration::from_millis(50)).max_retries(1);
    let error = client(&url).with_options(options).get_article("art_1").send().await.unwrap_err();
    assert!(error.is_timeout() && error.is_retryable(), "{error:?}");
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Timeout, 2));
}

#[tokio::test]
async fn a_call_ends_when_its_time_is_over_whatever_retries_are_left() {
    let server = failing(&[503; 200], None).await;
    let options = quick()
        .server_keeps_idempotency_keys(true)
        .backoff(Duration::from_millis(40), Duration::from_millis(40))
        .max_retries(1000)
        .total_timeout(Duration::from_millis(200));
    let client = client(&server.uri()).with_options(options);
    let time = FrozenTime::begin();
    let call = client.generate().topic("t").website_id("w").send();
    let error = time.pass_until_ended(Duration::from_millis(10), call).await.unwrap_err();
    assert!(error.attempts() < 20, "{error:?}");
    assert!(time.passed() <= Duration::from_millis(210), "{:?}", time.passed());
}

#[tokio::test]
async fn a_server_that_is_not_there_is_a_connection_error() {
    let unused = UnusedAddress::reserve();
    let error = client(&unused.url).get_job("job_1").send().await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Connect, 4));
    assert!(error.is_retryable() && error.status().is_none());
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let server = MockServer::start().await;
    Mock::given(path("/api/v1/jobs/job_1"))
        .respond_with(ResponseTemplate::new(307).insert_header("Location", "/elsewhere"))
        .mount(&server)
        .await;
    let error = client(&server.uri()).get_job("job_1").send().await.unwrap_err();
    assert_eq!(error.status().unwrap().as_u16(), 307);
    assert_eq!(server.received_requests().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_limit_longer_than_clocks_can_tell_is_none() {
    let server = failing(&[503], None).await;
    let options =
        quick().server_keeps_idempotency_keys(true).attempt_timeout(Duration::MAX).total_timeout(Duration::MAX);
    let queued =
        client(&server.uri()).with_options(options).generate().topic("t").website_id("w").send().await.unwrap();
    assert_eq!(queued.job_id, "job_1");
}
