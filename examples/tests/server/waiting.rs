//! Time limits, and responses that the reference server holds.

use std::time::Duration;

use contentgen_sdk::RequestOptions;
use contentgen_sdk::types::JobStatus;

use super::proxy::{Loss, Proxy};
use super::{full_client, idle, request};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_whose_response_is_held_ends_within_its_own_limit() {
    let server = idle().await;
    let client = full_client(&server);
    let job_id = client.generate().body(request(&server, "Salsify")).send().await.unwrap().into_inner().job_id;
    let limit = Duration::from_millis(500);
    let limited = client.with_options(RequestOptions::default().total_timeout(limit));
    // The server would respond with the job when its time to hold the response is over.
    let error = limited.get_job(&job_id).prefer("wait=60").send().await.unwrap_err();
    assert!(error.is_timeout(), "{error}");
    let error = client.wait_for_job(&job_id).timeout(limit).await.unwrap_err();
    assert_eq!((error.is_timeout(), error.job_id()), (true, Some(&*job_id)), "{error}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_response_that_is_held_says_that_the_preference_was_applied() {
    let server = idle().await;
    let client = full_client(&server);
    let job_id = client.generate().body(request(&server, "Scorzonera")).send().await.unwrap().into_inner().job_id;
    let job = client.get_job(&job_id).prefer("wait=1").send().await.unwrap();
    let applied = &job.headers()["preference-applied"];
    assert_eq!((job.status.clone(), applied), (JobStatus::Queued, &"wait=1".parse().unwrap()));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wait_for_a_job_asks_twice_and_learns_of_its_end() {
    let server = idle().await;
    let proxy = Proxy::start(&server, Loss::None).await;
    let client = proxy.client(&server, |account| &account.api_key);
    let operator = full_client(&server);
    let job_id = operator.generate().body(request(&server, "Skirret")).send().await.unwrap().into_inner().job_id;
    // If the server responded at once, the client would poll a hundred times a second.
    let wait = client.wait_for_job(&job_id).poll_interval(Duration::from_millis(10));
    let cancel = async {
        proxy.until(|passed| passed.iter().any(|exchange| exchange.request.contains_key("prefer"))).await;
        // Gives the server time to respond to the second request, too.
        for _ in 0..5 {
            operator.get_job(&job_id).send().await.unwrap();
        }
        let held = proxy.passed().pop().unwrap();
        assert_eq!((held.request["prefer"].as_bytes(), held.answer.is_none()), (&b"wait=20"[..], true));
        let cancelled = operator.cancel_job(&job_id).send().await.unwrap();
        assert_eq!(cancelled.status, JobStatus::Cancelled);
    };
    let (job, ()) = tokio::join!(wait.into_future(), cancel);
    let job = job.unwrap();
    assert_eq!((job.status.clone(), job.done), (JobStatus::Cancelled, true));
    assert_eq!(proxy.passed().len(), 2, "one response comes at once, and one is held");
    server.stop().await;
}
