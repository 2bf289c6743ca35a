//! Waiting for jobs and articles, on servers with and without a job operation.

use std::sync::Mutex;
use std::time::Duration;

use contentgen_sdk::ErrorKind;
use contentgen_sdk::types::{GenerateRequest, JobStatus};
use serde_json::{Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::client;
use super::frozen_time::FrozenTime;
use super::until::until_some;

const POLL: Duration = Duration::from_millis(1);

/// A job in some state.
fn job(status: &str, progress: u32) -> Value {
    let ended = matches!(status, "completed" | "failed" | "cancelled");
    json!({
        "job_id": "job_1", "status": status, "done": ended, "progress": progress, "website_id": "web_1", "topic": "t",
        "metadata": {}, "attempts": 1, "created_at": "2026-01-01T00:00:00Z",
        "article_id": (status == "completed").then_some("art_1"),
        "error": (status == "failed").then(|| json!({ "code": "voice_unsatisfiable", "message": "no", "retryable": false }))
    })
}

/// Makes a path return these bodies in order; the last one repeats.
async fn answers(server: &MockServer, at: &str, bodies: &[(u16, Value)]) {
    for (position, (status, body)) in bodies.iter().enumerate() {
        let answer = ResponseTemplate::new(*status).set_body_json(body);
        let mock = Mock::given(path(at)).respond_with(answer);
        let last = position + 1 == bodies.len();
        if last { mock } else { mock.up_to_n_times(1) }.mount(server).await;
    }
}

/// Makes the problem of a code.
fn problem(code: &str) -> Value {
    json!({ "code": code })
}

/// Starts a server that queues one job.
async fn queueing() -> MockServer {
    let server = MockServer::start().await;
    let queued = ResponseTemplate::new(202).set_body_json(json!({ "job_id": "job_1" }));
    Mock::given(method("POST")).and(path("/api/v1/generate")).respond_with(queued).mount(&server).await;
    server
}

/// Makes a complete request.
fn request() -> GenerateRequest {
    GenerateRequest::new().topic("t").website_id("web_1")
}

#[tokio::test]
async fn a_job_is_read_until_it_has_ended_and_each_change_is_told_once() {
    let server = MockServer::start().await;
    let states = [("queued", 0), ("queued", 0), ("in_progress", 10), ("in_progress", 60), ("completed", 100)];
    let bodies: Vec<_> = states.map(|(status, progress)| (200, job(status, progress))).to_vec();
    answers(&server, "/api/v1/jobs/job_1", &bodies).await;
    let told = Mutex::new(Vec::new());
    let client = client(&server.uri());
    let wait = client.wait_for_job("job_1").poll_interval(POLL);
    let ended = wait.on_progress(|job| told.lock().unwrap().push(job.progress.unwrap())).await.unwrap();
    assert_eq!(ended.status, JobStatus::Completed);
    assert_eq!(*told.lock().unwrap(), [0, 10, 60, 100]);
}

#[tokio::test]
async fn from_the_second_look_on_the_server_is_asked_to_hold_its_answer() {
    let server = MockServer::start().await;
    answers(&server, "/api/v1/jobs/job_1", &[(200, job("queued", 0)), (200, job("failed", 0))]).await;
    let client = client(&server.uri());
    let ended = client.wait_for_job("job_1").poll_interval(POLL).await.unwrap();
    assert_eq!(ended.status, JobStatus::Failed);
    let requests = server.received_requests().await.unwrap();
    let asked: Vec<_> =
        requests.iter().map(|request| request.headers.get("prefer").map(|value| value.to_str().unwrap())).collect();
    assert_eq!(asked, [None, Some("wait=20")]);
}

#[tokio::test]
async fn a_state_that_is_not_known_goes_on_until_the_job_says_that_it_is_done() {
    let server = MockServer::start().await;
    let mut archived = job("archived", 100);
    archived["done"] = json!(true);
    answers(&server, "/api/v1/jobs/job_1", &[(200, job("under_review", 50)), (200, archived)]).await;
    let client = client(&server.uri());
    let ended = client.wait_for_job("job_1").poll_interval(POLL).await.unwrap();
    assert_eq!(ended.status, JobStatus::from("archived"));
    assert!(matches!(ended.status, JobStatus::Unknown(_)));
}

#[tokio::test]
async fn a_time_between_looks_that_no_clock_can_tell_is_waited_out() {
    let server = MockServer::start().await;
    answers(&server, "/api/v1/jobs/job_1", &[(200, job("in_progress", 10))]).await;
    let client = client(&server.uri());
    let wait = client.wait_for_job("job_1").poll_interval(Duration::MAX).timeout(Duration::from_millis(60));
    assert!(wait.await.unwrap_err().is_timeout());
}

#[tokio::test]
async fn a_wait_ends_at_its_deadline_and_names_the_job() {
    let server = MockServer::start().await;
    answers(&server, "/api/v1/jobs/job_1", &[(200, job("in_progress", 10))]).await;
    let client = client(&server.uri());
    let time = FrozenTime::begin();
    let wait = client.wait_for_job("job_1").poll_interval(Duration::from_secs(3)).timeout(Duration::from_secs(5));
    let time_passes = async {
        for requests in 1..=2 {
            // A poll follows only a poll that was answered. The error differs if the server never answered.
            let has_come = async || (server.received_requests().await?.len() >= requests).then_some(());
            until_some("the server is asked for the job", has_come).await;
            time.pass(Duration::from_secs(4)).await;
        }
    };
    let (ended, ()) = tokio::join!(wait.into_future(), time_passes);
    let error = ended.unwrap_err();
    assert_eq!((error.kind(), error.is_timeout()), (ErrorKind::WaitTimeout, true), "{error:?}");
    assert_eq!((error.job_id(), error.is_retryable()), (Some("job_1"), true), "waiting again queues nothing");
}

#[tokio::test]
async fn an_outage_while_waiting_is_waited_through() {
    let server = MockServer::start().await;
    let down = std::iter::repeat_n((503, json!({})), 10);
    let bodies: Vec<_> = down.chain([(200, job("completed", 100))]).collect();
    answers(&server, "/api/v1/jobs/job_1", &bodies).await;
    let client = client(&server.uri());
    assert!(client.wait_for_job("job_1").poll_interval(POLL).await.is_ok());
}

#[tokio::test]
async fn an_article_is_queued_waited_for_and_read() {
    let server = queueing().await;
    answers(&server, "/api/v1/jobs/job_1", &[(200, job("queued", 0)), (200, job("completed", 100))]).await;
    answers(&server, "/api/v1/articles/art_1", &[(200, json!({ "id": "art_1", "title": "T" }))]).await;
    let client = client(&server.uri());
    let article = client.generate_and_wait(request()).poll_interval(POLL).await.unwrap();
    assert_eq!(article.title.as_deref(), Some("T"));
}

#[tokio::test]
async fn an_article_is_waited_for_until_it_is_published() {
    let draft = json!({ "id": "art_1", "status": "draft", "url": null });
    let published = json!({ "id": "art_1", "status": "published", "url": "https://example.com/a" });
    let bare = json!({ "id": "art_1", "published_at": "2026-01-01T00:00:00Z", "url": "https://example.com/a" });
    for last in [published, bare] {
        let server = queueing().await;
        answers(&server, "/api/v1/jobs/job_1", &[(200, job("completed", 100))]).await;
        answers(&server, "/api/v1/articles/art_1", &[(200, draft.clone()), (503, json!({})), (200, last)]).await;
        let client = client(&server.uri());
        let wait = client.generate_and_wait(request());
        let article = wait.poll_interval(POLL).until_published().await.unwrap();
        assert_eq!(article.url.as_deref(), Some("https://example.com/a"));
    }
    let server = queueing().await;
    answers(&server, "/api/v1/jobs/job_1", &[(200, job("completed", 100))]).await;
    answers(&server, "/api/v1/articles/art_1", &[(200, draft)]).await;
    let client = client(&server.uri());
    assert!(client.wait_for_article("job_1").await.unwrap().url.is_none(), "it is written");
    let time = FrozenTime::begin();
    let wait = client.wait_for_article("job_1").until_published().timeout(Duration::from_secs(60));
    let error = time.pass_until_ended(Duration::from_secs(1), wait.into_future()).await.unwrap_err();
    assert_eq!((error.kind(), error.job_id()), (ErrorKind::WaitTimeout, Some("job_1")), "{error}");
    assert!(error.to_string().contains("not published"), "{error}");
}

#[tokio::test]
async fn a_job_that_failed_is_an_error_with_the_jobs_own() {
    let server = queueing().await;
    answers(&server, "/api/v1/jobs/job_1", &[(200, job("failed", 10))]).await;
    let error = client(&server.uri()).generate_and_wait(request()).poll_interval(POLL).await.unwrap_err();
    assert_eq!((error.kind(), error.code(), error.status()), (ErrorKind::Generation, None, None));
    let reason = error.job_error().unwrap();
    assert_eq!((reason.code.as_str(), reason.message.as_str(), reason.retryable), ("voice_unsatisfiable", "no", false));
    assert_eq!((error.job_id(), error.is_retryable()), (Some("job_1"), false));

    let server = queueing().await;
    let mut unlucky = job("failed", 10);
    unlucky["error"]["retryable"] = json!(true);
    answers(&server, "/api/v1/jobs/job_1", &[(200, unlucky)]).await;
    let error = client(&server.uri()).generate_and_wait(request()).await.unwrap_err();
    assert!(error.is_retryable(), "another job may succeed");
}

/// A server with only the documented operations may respond to other requests with any error, also before an article exists.
#[tokio::test]
async fn a_server_without_a_job_operation_is_asked_for_the_article_by_the_jobs_id() {
    for missing in [400, 401, 403, 404, 405, 418, 500, 501, 503] {
        let server = queueing().await;
        answers(&server, "/api/v1/jobs/job_1", &[(missing, json!({}))]).await;
        let answer = json!({ "id": "job_1", "title": "T", "created_at": 1_700_000_000 });
        let bodies = [(missing, json!({})), (409, json!({})), (425, problem("too_early")), (200, answer)];
        answers(&server, "/api/v1/articles/job_1", &bodies).await;
        let client = client(&server.uri());
        let article = client.generate_and_wait(request()).poll_interval(POLL).await.unwrap();
        assert_eq!(article.title.as_deref(), Some("T"), "{missing}");
        // Another process, which has queued nothing.
        let article = client.wait_for_article("job_1").poll_interval(POLL).await.unwrap();
        assert_eq!(article.title.as_deref(), Some("T"), "{missing}");
    }
}

#[tokio::test]
async fn a_job_in_a_form_of_the_servers_own_is_no_obstacle() {
    let server = queueing().await;
    answers(&server, "/api/v1/jobs/job_1", &[(200, json!({ "state": "running" }))]).await;
    answers(&server, "/api/v1/articles/job_1", &[(200, json!({ "title": "T" }))]).await;
    let client = client(&server.uri());
    assert!(client.generate_and_wait(request()).poll_interval(POLL).await.is_ok());
}

#[tokio::test]
async fn another_job_than_the_one_that_was_asked_for_is_no_answer() {
    let server = queueing().await;
    let mut other = job("completed", 100);
    (other["job_id"], other["article_id"]) = (json!("job_2"), json!("art_2"));
    answers(&server, "/api/v1/jobs/job_1", &[(200, other)]).await;
    answers(&server, "/api/v1/articles/art_2", &[(200, json!({ "id": "art_2", "title": "Not ordered" }))]).await;
    answers(&server, "/api/v1/articles/job_1", &[(200, json!({ "id": "art_1", "title": "Ordered" }))]).await;
    let client = client(&server.uri());
    let article = client.generate_and_wait(request()).poll_interval(POLL).await.unwrap();
    assert_eq!(article.title.as_deref(), Some("Ordered"));
    let error = client.wait_for_job("job_1").poll_interval(POLL).await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::UnexpectedResponse, Some("get_job")));
    assert_eq!((error.status().map(|status| status.as_u16()), error.job_id()), (Some(200), Some("job_1")));
    assert!(!error.to_string().contains("job_2"), "{error}");
}

#[tokio::test]
async fn a_server_may_write_the_id_of_a_job_in_another_case() {
    let server = MockServer::start().await;
    answers(&server, "/api/v1/jobs/JOB_1", &[(200, job("completed", 100))]).await;
    let ended = client(&server.uri()).wait_for_job("JOB_1").poll_interval(POLL).await.unwrap();
    assert_eq!(ended.job_id, "job_1");
}

#[tokio::test]
async fn an_article_that_will_never_be_ends_the_wait() {
    for code in ["generation_failed", "generation_cancelled"] {
        let server = MockServer::start().await;
        answers(&server, "/api/v1/articles/job_1", &[(404, problem("article_not_ready")), (404, problem(code))]).await;
        let client = client(&server.uri());
        let error = client.wait_for_article("job_1").poll_interval(POLL).await.unwrap_err();
        assert_eq!((error.kind(), error.code()), (ErrorKind::Generation, Some(code)));
        assert!(error.job_error().is_none(), "it is a problem's code: {error:?}");
    }
}

#[tokio::test]
async fn a_refused_key_and_an_unknown_job_end_the_wait_at_once() {
    for (status, code) in [(401, "invalid_credentials"), (401, "missing_credentials"), (404, "job_not_found")] {
        let server = MockServer::start().await;
        answers(&server, "/api/v1/jobs/job_1", &[(status, problem(code))]).await;
        let client = client(&server.uri());
        let error = client.wait_for_article("job_1").poll_interval(POLL).await.unwrap_err();
        assert_eq!(error.code(), Some(code));
        assert_eq!(server.received_requests().await.unwrap().len(), 1);
    }
}

#[tokio::test]
async fn a_bare_refusal_of_job_and_article_ends_the_wait_where_nothing_was_accepted_before() {
    for status in [401, 403] {
        let server = MockServer::start().await;
        answers(&server, "/api/v1/jobs/job_1", &[(status, json!({}))]).await;
        answers(&server, "/api/v1/articles/job_1", &[(status, json!({}))]).await;
        let error = client(&server.uri()).wait_for_article("job_1").poll_interval(POLL).await.unwrap_err();
        assert_eq!(error.status().map(|status| status.as_u16()), Some(status));
        assert_eq!(server.received_requests().await.unwrap().len(), 2);
    }
}

/// Such a response is a defect of the server or of a proxy, which polling does not heal.
#[tokio::test]
async fn an_empty_success_ends_the_wait() {
    let server = MockServer::start().await;
    Mock::given(method("GET")).respond_with(ResponseTemplate::new(200)).mount(&server).await;
    let client = client(&server.uri());
    let error = client.wait_for_job("job_1").poll_interval(POLL).await.unwrap_err();
    assert_eq!((error.kind(), error.job_id()), (ErrorKind::UnexpectedResponse, Some("job_1")));
    let error = client.wait_for_article("job_1").poll_interval(POLL).await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::UnexpectedResponse, Some("get_article")));
    assert_eq!(server.received_requests().await.unwrap().len(), 3);
}

/// The server holds no response. The quota of the reference server is 120 requests in a minute.
#[tokio::test]
async fn a_job_that_does_not_change_is_polled_ever_more_rarely() {
    let server = MockServer::start().await;
    answers(&server, "/api/v1/jobs/job_1", &[(200, job("in_progress", 10))]).await;
    let client = client(&server.uri());
    let time = FrozenTime::begin();
    let wait = client.wait_for_job("job_1").poll_interval(Duration::ZERO).timeout(Duration::from_secs(60));
    let error = time.pass_until_ended(Duration::from_millis(500), wait.into_future()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WaitTimeout);
    let requests = server.received_requests().await.unwrap().len();
    assert!((3..=20).contains(&requests), "{requests} requests in a minute");
}

#[tokio::test]
async fn a_key_that_may_not_read_jobs_is_enough_to_wait_for_an_article() {
    let server = queueing().await;
    answers(&server, "/api/v1/jobs/job_1", &[(403, problem("insufficient_scope"))]).await;
    let bodies = [(404, problem("article_not_ready")), (200, json!({ "title": "T" }))];
    answers(&server, "/api/v1/articles/job_1", &bodies).await;
    assert!(client(&server.uri()).generate_and_wait(request()).poll_interval(POLL).await.is_ok());
    assert!(client(&server.uri()).wait_for_article("job_1").poll_interval(POLL).await.is_ok());

    let server = queueing().await;
    let refused = [(403, problem("insufficient_scope"))];
    answers(&server, "/api/v1/jobs/job_1", &refused).await;
    answers(&server, "/api/v1/articles/job_1", &refused).await;
    let error = client(&server.uri()).generate_and_wait(request()).poll_interval(POLL).await.unwrap_err();
    assert_eq!(error.code(), Some("insufficient_scope"));
}

#[tokio::test]
async fn waiting_can_move_between_threads() {
    fn is_send<T: Send>(value: T) -> T {
        value
    }
    let server = queueing().await;
    let client = client(&server.uri());
    drop(is_send(IntoFuture::into_future(client.generate_and_wait(request()))));
    drop(is_send(client.generate().topic("t").website_id("w").send()));
    drop(is_send(client.list_leads().items()));
}
