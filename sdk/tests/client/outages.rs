//! Waiting while the server is away, overloaded, or not there at all.

use std::error::Error as _;
use std::iter;
use std::time::{Duration, Instant};

use contentgen_sdk::types::GenerateRequest;
use contentgen_sdk::{Error, ErrorKind};
use serde_json::json;
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::scripted::{Act, serve};
use super::{client, quick};

const POLL: Duration = Duration::from_millis(1);
/// Far longer than any of these waits may take.
const LONG: Duration = Duration::from_secs(10 * 60);

/// A job in a state.
fn job(status: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({
        "job_id": "job_1", "status": status, "done": status == "cancelled", "website_id": "web_1", "topic": "t", "metadata": {},
        "attempts": 1, "created_at": "2026-01-01T00:00:00Z"
    }))
}

/// What a wait for a job fails with, where reading it is answered like this, and how often it was read.
async fn failure(answer: ResponseTemplate, timeout: Duration) -> (Error, usize) {
    let server = MockServer::start().await;
    Mock::given(method("GET")).and(path("/api/v1/jobs/job_1")).respond_with(answer).mount(&server).await;
    let client = client(&server.uri());
    let error = client.wait_for_job("job_1").poll_interval(POLL).timeout(timeout).await;
    (error.expect_err("the job does not end"), server.received_requests().await.expect("they are recorded").len())
}

#[tokio::test]
async fn a_server_that_was_never_there_ends_the_wait() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let client = client(&format!("http://{closed}"));
    let begin = Instant::now();
    for error in [
        client.wait_for_job("job_1").timeout(LONG).await.unwrap_err(),
        client.wait_for_article("job_1").timeout(LONG).await.unwrap_err(),
    ] {
        assert_eq!((error.kind(), error.job_id(), error.attempts()), (ErrorKind::Connect, Some("job_1"), 4), "{error}");
    }
    assert!(begin.elapsed() < LONG / 2);
}

#[tokio::test]
async fn a_server_that_is_away_for_a_while_is_waited_for() {
    let answer = |status: &str, body: &str| -> &'static str {
        let length = body.len();
        format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}").leak()
    };
    let mut acts = vec![
        Act::Write(answer("202 Accepted", r#"{"job_id":"job_1"}"#)),
        Act::Write(answer("404 Not Found", "")),
        Act::Write(answer("404 Not Found", "")),
    ];
    // All attempts of two looks.
    acts.extend((0..8).map(|_| Act::Write("")));
    acts.push(Act::Write(answer("200 OK", r#"{"title":"T"}"#)));
    let (base_url, requests) = serve(acts);
    let request = GenerateRequest::builder().topic("t").website_id("web_1");
    let article = client(&base_url).generate_and_wait(request).poll_interval(POLL).await.unwrap();
    assert_eq!((article.title.as_deref(), requests.try_iter().count()), (Some("T"), 12));
}

#[tokio::test]
async fn a_server_that_asks_for_more_time_than_is_left_is_not_asked_again() {
    let overloaded = ResponseTemplate::new(429).insert_header("Retry-After", "3600");
    let begin = Instant::now();
    let (error, requests) = failure(overloaded, LONG).await;
    assert_eq!((error.status().unwrap().as_u16(), error.job_id(), requests), (429, Some("job_1"), 1));
    assert_eq!(error.retry_after(), Some(Duration::from_secs(60 * 60)));

    let server = MockServer::start().await;
    let overloaded = ResponseTemplate::new(429).insert_header("Retry-After", "3600");
    Mock::given(method("GET")).respond_with(overloaded).mount(&server).await;
    let error = client(&server.uri()).wait_for_article("job_1").timeout(LONG).await.unwrap_err();
    assert_eq!(
        (error.retry_after(), server.received_requests().await.unwrap().len()),
        (Some(Duration::from_secs(60 * 60)), 1)
    );
    assert!(begin.elapsed() < LONG / 2);
}

#[tokio::test]
async fn a_server_that_asks_for_a_moment_gets_it() {
    let server = MockServer::start().await;
    let overloaded = ResponseTemplate::new(503).insert_header("Retry-After", "1");
    let at = || Mock::given(method("GET")).and(path("/api/v1/jobs/job_1"));
    at().respond_with(overloaded).up_to_n_times(1).mount(&server).await;
    at().respond_with(job("cancelled")).mount(&server).await;
    let client = client(&server.uri()).with_options(quick().max_retries(0));
    let begin = Instant::now();
    assert!(client.wait_for_job("job_1").poll_interval(POLL).await.is_ok());
    assert!(begin.elapsed() >= Duration::from_secs(1));
}

#[tokio::test]
async fn a_wait_that_ends_in_an_outage_says_so() {
    let (error, requests) = failure(ResponseTemplate::new(500), Duration::from_secs(5)).await;
    assert!(error.kind() == ErrorKind::WaitTimeout && requests > 1, "{error}");
    assert!(error.to_string().contains("the last look failed: get_job: the server answered 500"), "{error}");
    assert!(error.source().unwrap().to_string().contains("500"));
}

#[tokio::test]
async fn a_long_poll_fits_into_the_time_that_a_call_has() {
    let server = MockServer::start().await;
    Mock::given(method("GET")).respond_with(job("in_progress")).mount(&server).await;
    let client = client(&server.uri()).with_options(quick().total_timeout(Duration::from_secs(10)));
    let wait = client.wait_for_job("job_1").poll_interval(POLL).timeout(Duration::from_secs(60));
    let second_look = async {
        loop {
            let requests = server.received_requests().await.unwrap();
            if let Some(held) = requests.iter().find_map(|request| request.headers.get("prefer")) {
                return held.clone();
            }
            tokio::time::sleep(POLL).await;
        }
    };
    tokio::select! {
        held = second_look => assert_eq!(held, "wait=5"),
        ended = wait.into_future() => panic!("there is a second look before the end of the wait: {ended:?}"),
    }
}

/// A server that takes connections and answers none of them.
#[tokio::test]
async fn a_server_that_hangs_is_told_as_one_that_does_not_answer() {
    let (url, _requests) = serve((0..8).map(|_| Act::Hang("")).collect());
    let client = client(&url);
    for error in [
        client.wait_for_job("job_1").timeout(Duration::from_millis(200)).await.unwrap_err(),
        client.wait_for_article("job_1").timeout(Duration::from_millis(200)).await.unwrap_err(),
    ] {
        assert_eq!((error.kind(), error.job_id()), (ErrorKind::Timeout, Some("job_1")), "{error}");
        let text = error.to_string();
        assert!(text.contains("no response") && !text.contains("had not ended"), "{text}");
    }
}

#[tokio::test]
async fn a_wait_outlives_a_look_that_hangs() {
    let ended = r#"{"job_id":"job_1","status":"cancelled","done":true,"website_id":"w","topic":"t","metadata":{},"attempts":1,"created_at":"2026-01-01T00:00:00Z"}"#;
    let length = ended.len();
    let response = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{ended}");
    // Every look from the third on is answered: a busy machine may take longer for one than it is waited for.
    let acts = iter::repeat_n(Act::Hang(""), 2).chain(iter::repeat_n(Act::Write(response.leak()), 200));
    let (url, _requests) = serve(acts.collect());
    let client = client(&url).with_options(quick().attempt_timeout(Duration::from_millis(500)).max_retries(0));
    assert!(client.wait_for_job("job_1").poll_interval(POLL).timeout(LONG).await.unwrap().done);
}

#[tokio::test]
async fn a_server_that_asks_for_a_moment_does_not_hang() {
    let server = MockServer::start().await;
    let busy = ResponseTemplate::new(429).insert_header("Retry-After", "9");
    Mock::given(method("GET")).respond_with(busy).mount(&server).await;
    let client = client(&server.uri());
    let wait = client.wait_for_job("job_1").timeout(Duration::from_secs(5));
    let error = wait.await.unwrap_err();
    assert_ne!(error.kind(), ErrorKind::Timeout, "{error}");
}
