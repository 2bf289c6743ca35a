//! `wait` and `jobs`.

use contentgen_sdk::test_util::{MockService, sample};
use contentgen_sdk::types::JobStatus;
use serde_json::json;

use super::program::{at, run, with_key};
use super::server::{demonstration, idle};
use super::signal::Started;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_is_waited_for_until_its_article_can_be_read() {
    let server = demonstration().await;
    let queued = run(at(&server, &["generate", "Raised beds"])).await.well();
    let job_id = queued.output.trim_end();
    let people = run(at(&server, &["wait", job_id])).await.well();
    for name in ["id ", "title ", "status ", "words ", "job "] {
        assert!(people.output.lines().any(|line| line.starts_with(name)), "{name} in {people:?}");
    }
    assert_eq!(people.error, "");
    let program = run(at(&server, &["wait", job_id, "--json", "--timeout", "2m"])).await.well();
    assert_eq!(program.json()["job_id"], json!(job_id));
    let at_once = run(at(&server, &["wait", job_id, "--timeout", "0s"])).await.well();
    let job_line =
        |text: &str| text.lines().find(|line| line.starts_with("job ")).map(|line| line[4..].trim().to_owned());
    assert_eq!(job_line(&at_once.output), job_line(&people.output), "a job that has ended is not waited for");
    let job = run(at(&server, &["jobs", "get", job_id])).await.well();
    assert!(job.output.contains("Z\n") && !job.output.contains("+00:00"), "a time in another form: {job:?}");
    assert!(job.output.contains("completed") && job.output.contains("100%"), "{job:?}");
    let ended = run(at(&server, &["jobs", "cancel", job_id])).await.with(1);
    assert!(ended.error.contains("job_not_cancellable") && ended.error.contains("contentgen jobs get"), "{ended:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_that_failed_has_an_exit_code_of_its_own_and_says_why() {
    let service = MockService::start().await;
    service.add_job(&sample::job("job_1", JobStatus::Failed));
    let people = run(with_key(&service.base_url(), "key_for_tests", &["wait", "job_1"])).await.with(5);
    assert!(people.error.contains("The writer could not be reached. (generator_unavailable)"), "{people:?}");
    let program = run(with_key(&service.base_url(), "key_for_tests", &["wait", "job_1", "--json"])).await.with(5);
    let error = program.json_error();
    assert_eq!(
        (&error["kind"], &error["code"], &error["job_id"]),
        (&json!("no_article"), &json!("generator_unavailable"), &json!("job_1"))
    );
    assert_eq!(program.output, "");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_that_was_cancelled_brings_no_article() {
    let server = idle().await;
    let queued = run(at(&server, &["generate", "Okra"])).await.well();
    let job_id = queued.output.trim_end();
    let state = run(at(&server, &["jobs", "get", job_id, "--json"])).await.well();
    assert_eq!(state.json()["status"], "queued");
    let early = run(at(&server, &["wait", job_id, "--timeout", "0s"])).await.with(4);
    assert!(early.error.contains("did not end"), "{early:?}");
    let cancelled = run(at(&server, &["jobs", "cancel", job_id])).await.well();
    run(at(&server, &["wait", job_id, "--timeout", "0s"])).await.with(5);
    assert!(cancelled.output.contains("cancelled"), "{cancelled:?}");
    let waited = run(at(&server, &["wait", job_id])).await.with(5);
    assert!(waited.error.contains("cancelled"), "{waited:?}");
    let read = run(at(&server, &["articles", "get", job_id])).await.with(5);
    assert!(read.error.contains("generation_cancelled"), "{read:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_job_is_refused_with_the_id_of_the_request() {
    let server = demonstration().await;
    let people = run(at(&server, &["wait", "job_nothing"])).await.with(1);
    assert!(people.error.contains("job_not_found") && people.error.contains("request id: req_"), "{people:?}");
    let program = run(at(&server, &["jobs", "get", "job_nothing", "--json"])).await.with(1);
    let error = program.json_error();
    assert_eq!((&error["code"], &error["status"]), (&json!("job_not_found"), &json!(404)));
    assert!(error["request_id"].as_str().is_some_and(|id| id.starts_with("req_")), "{error}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_told_to_end_ends_with_the_code_of_that_signal() {
    let server = idle().await;
    let queued = run(at(&server, &["generate", "Okra"])).await.well();
    let waiting = Started::new(at(&server, &["wait", queued.output.trim_end(), "--verbose"]));
    let (code, _output, error) = tokio::task::block_in_place(|| {
        // The program reports the first request after it was answered.
        let first = waiting.error();
        waiting.terminate();
        let (code, output, error) = waiting.end();
        (code, output, first + &error)
    });
    assert_eq!(code, Some(143), "{error}");
    assert!(error.contains("terminated") && error.contains("the job continues"), "{error}");
    server.stop().await;
}
