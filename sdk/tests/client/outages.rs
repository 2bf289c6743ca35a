//! Waiting while the server is down, overloaded, or unreachable.

use std::error::Error as _;
use std::time::Duration;

use contentgen_sdk::ErrorKind;
use contentgen_sdk::types::GenerateRequest;
use serde_json::json;
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::frozen_time::FrozenTime;
use super::scripted::{Act, next_request, serve};
use super::until::{breathe, until_some};
use super::unused_address::UnusedAddress;
use super::{client, quick};

const POLL: Duration = Duration::from_millis(1);
/// Time limit of a wait that should never be reached.
const LONG: Duration = Duration::from_secs(10 * 60);
const A_YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// A job in a state.
fn job(status: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({
        "job_id": "job_1", "status": status, "done": status == "cancelled", "website_id": "web_1", "topic": "t", "metadata": {},
        "attempts": 1, "created_at": "2026-01-01T00:00:00Z"
    }))
}

/// Starts a server with one response for every read of the job.
async fn answering(answer: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("GET")).and(path("/api/v1/jobs/job_1")).respond_with(answer).mount(&server).await;
    server
}

/// Counts the requests that a server has received.
async fn requests(server: &MockServer) -> usize {
    server.received_requests().await.expect("they are recorded").len()
}

/// Waits until a server has received this many requests.
async fn until_requests(server: &MockServer, count: usize) {
    let has_come = async || (requests(server).await >= count).then_some(());
    until_some(&format!("the server has received {count} requests"), has_come).await;
}

#[tokio::test]
async fn a_server_that_was_never_there_ends_the_wait() {
    let unused = UnusedAddress::reserve();
    let client = client(&unused.url);
    for error in [
        client.wait_for_job("job_1").timeout(LONG).await.unwrap_err(),
        client.wait_for_article("job_1").timeout(LONG).await.unwrap_err(),
    ] {
        assert_eq!((error.kind(), error.job_id(), error.attempts()), (ErrorKind::Connect, Some("job_1"), 4), "{error}");
    }
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
    // All attempts of two polls.
    acts.extend((0..8).map(|_| Act::Write("")));
    acts.push(Act::Write(answer("200 OK", r#"{"title":"T"}"#)));
    let (base_url, requests) = serve(acts);
    let request = GenerateRequest::new().topic("t").website_id("web_1");
    let article = client(&base_url).generate_and_wait(request).poll_interval(POLL).await.unwrap();
    assert_eq!((article.title.as_deref(), requests.try_iter().count()), (Some("T"), 12));
}

#[tokio::test]
async fn a_server_that_asks_for_more_time_than_is_left_is_not_asked_again() {
    let server = answering(ResponseTemplate::new(429).insert_header("Retry-After", "3600")).await;
    let error = client(&server.uri()).wait_for_job("job_1").poll_interval(POLL).timeout(LONG).await.unwrap_err();
    assert_eq!((error.status().unwrap().as_u16(), error.job_id()), (429, Some("job_1")));
    assert_eq!(requests(&server).await, 1);
    assert_eq!(error.retry_after(), Some(Duration::from_secs(60 * 60)));

    let server = MockServer::start().await;
    let overloaded = ResponseTemplate::new(429).insert_header("Retry-After", "3600");
    Mock::given(method("GET")).respond_with(overloaded).mount(&server).await;
    let error = client(&server.uri()).wait_for_article("job_1").timeout(LONG).await.unwrap_err();
    assert_eq!(
        (error.retry_after(), server.received_requests().await.unwrap().len()),
        (Some(Duration::from_secs(60 * 60)), 1)
    );
}

#[tokio::test]
async fn a_server_that_asks_for_a_moment_gets_it() {
    let server = MockServer::start().await;
    let overloaded = ResponseTemplate::new(503).insert_header("Retry-After", "1");
    let at = || Mock::given(method("GET")).and(path("/api/v1/jobs/job_1"));
    at().respond_with(overloaded).up_to_n_times(1).mount(&server).await;
    at().respond_with(job("cancelled")).mount(&server).await;
    let client = client(&server.uri()).with_options(quick().max_retries(0));
    let time = FrozenTime::begin();
    let wait = client.wait_for_job("job_1").poll_interval(POLL).into_future();
    assert!(time.pass_until_ended(Duration::from_millis(10), wait).await.is_ok());
    assert!(time.passed() >= Duration::from_secs(1), "{:?}", time.passed());
}

#[tokio::test]
async fn a_wait_that_ends_in_an_outage_says_so() {
    let server = answering(ResponseTemplate::new(500)).await;
    let client = client(&server.uri()).with_options(quick().max_retries(0));
    let time = FrozenTime::begin();
    let wait = client.wait_for_job("job_1").poll_interval(Duration::from_secs(3)).timeout(Duration::from_secs(5));
    let time_passes = async {
        until_requests(&server, 1).await;
        time.pass(Duration::from_secs(4)).await;
        // A poll follows only a poll that was answered.
        until_requests(&server, 2).await;
        time.pass(Duration::from_secs(4)).await;
    };
    let (ended, ()) = tokio::join!(wait.into_future(), time_passes);
    let error = ended.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WaitTimeout, "{error}");
    assert_eq!(error.to_string(), "the job job_1 did not end within the time limit");
    assert!(error.source().unwrap().to_string().contains("get_job: the server answered 500"));
    assert!(format!("{error:#}").ends_with("time limit: get_job: the server answered 500"), "{error:#}");
}

#[tokio::test]
async fn a_long_poll_fits_into_the_time_that_a_call_has() {
    let server = MockServer::start().await;
    Mock::given(method("GET")).respond_with(job("in_progress")).mount(&server).await;
    let client = client(&server.uri()).with_options(quick().total_timeout(Duration::from_secs(10)));
    let wait = client.wait_for_job("job_1").poll_interval(POLL).timeout(LONG);
    let second_look = until_some("the server is asked to hold its response", async || {
        let requests = server.received_requests().await.unwrap();
        requests.iter().find_map(|request| request.headers.get("prefer").cloned())
    });
    tokio::select! {
        held = second_look => assert_eq!(held, "wait=5"),
        ended = wait.into_future() => panic!("there is a second look before the end of the wait: {ended:?}"),
    }
}

/// The server accepts connections and never answers.
#[tokio::test]
async fn a_server_that_hangs_is_told_as_one_that_does_not_answer() {
    let (url, requests) = serve((0..2).map(|_| Act::Hang("")).collect());
    let client = client(&url);
    let time = FrozenTime::begin();
    let time_passes = async || {
        next_request(&requests).await;
        time.pass(Duration::from_secs(11)).await;
    };
    let timeout = Duration::from_secs(10);
    let (job, ()) = tokio::join!(client.wait_for_job("job_1").timeout(timeout).into_future(), time_passes());
    let (article, ()) = tokio::join!(client.wait_for_article("job_1").timeout(timeout).into_future(), time_passes());
    for error in [job.unwrap_err(), article.unwrap_err()] {
        assert_eq!((error.kind(), error.job_id()), (ErrorKind::Timeout, Some("job_1")), "{error}");
        let text = error.to_string();
        assert!(text.contains("no response") && !text.contains("did not end"), "{text}");
    }
}

#[tokio::test]
async fn a_wait_outlives_a_look_that_hangs() {
    let ended = r#"{"job_id":"job_1","status":"cancelled","done":true,"website_id":"w","topic":"t","metadata":{},"attempts":1,"created_at":"2026-01-01T00:00:00Z"}"#;
    let length = ended.len();
    let response = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{ended}");
    let (url, requests) = serve(vec![Act::Hang(""), Act::Hang(""), Act::Write(response.leak())]);
    let client = client(&url).with_options(quick().attempt_timeout(Duration::from_secs(5)).max_retries(0));
    let time = FrozenTime::begin();
    let looks_hang = async {
        for _ in 0..2 {
            next_request(&requests).await;
            time.pass(Duration::from_secs(6)).await;
        }
    };
    let wait = client.wait_for_job("job_1").poll_interval(POLL).timeout(LONG).into_future();
    let (ended, ()) = tokio::join!(wait, looks_hang);
    assert!(ended.unwrap().done);
}

#[tokio::test]
async fn a_server_that_asks_for_a_moment_does_not_hang() {
    let server = answering(ResponseTemplate::new(429).insert_header("Retry-After", "9")).await;
    let options = quick().attempt_timeout(Duration::MAX).total_timeout(Duration::MAX);
    let client = client(&server.uri()).with_options(options);
    let time = FrozenTime::begin();
    let wait = client.wait_for_job("job_1").timeout(A_YEAR);
    // A second request of the same poll shows that the client has read the first response. Then the wait ends.
    let second = time.pass_until_ended(Duration::from_secs(1), until_requests(&server, 2));
    let time_passes = async {
        second.await;
        time.pass(A_YEAR).await;
    };
    let (ended, ()) = tokio::join!(wait.into_future(), time_passes);
    let error = ended.unwrap_err();
    assert_ne!(error.kind(), ErrorKind::Timeout, "{error}");
}

#[tokio::test]
async fn an_attempt_also_has_the_time_that_the_server_may_hold_its_response() {
    for (waited, kind) in [(Duration::from_secs(64), None), (Duration::from_secs(66), Some(ErrorKind::Timeout))] {
        let (url, requests) = serve(vec![Act::Hang("")]);
        let client = client(&url).with_options(quick().attempt_timeout(Duration::from_secs(5)).max_retries(0));
        let time = FrozenTime::begin();
        let call = client.get_job("job_1").prefer("wait=60").send();
        let mut call = std::pin::pin!(async { call.await.expect_err("the server never responds").kind() });
        let time_passes = async {
            next_request(&requests).await;
            time.pass(waited).await;
            breathe().await;
        };
        let ended = tokio::select! {
            biased;
            ended = &mut call => Some(ended),
            () = time_passes => None,
        };
        assert_eq!(ended, kind, "after {waited:?}");
    }
}
