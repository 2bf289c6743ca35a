//! Time limits, and answers that the reference server holds.

use std::time::{Duration, Instant};

use contentgen_sdk::RequestOptions;
use contentgen_sdk::types::JobStatus;

use super::proxy::{Loss, Proxy};
use super::{full_client, idle, request};

/// Far more than anything here should take, and far less than the server may hold an answer.
const SOON: Duration = Duration::from_secs(10);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_whose_answer_is_held_ends_within_its_own_limit() {
    let server = idle().await;
    let client = full_client(&server);
    let job_id = client.generate().body(request(&server, "Salsify")).send().await.unwrap().into_inner().job_id;
    let limit = Duration::from_secs(1);
    let limited = client.with_options(RequestOptions::default().total_timeout(limit));
    let begin = Instant::now();
    let error = limited.get_job(&job_id).prefer("wait=30").send().await.unwrap_err();
    assert!(error.is_timeout(), "{error}");
    assert!((limit..SOON).contains(&begin.elapsed()), "{:?}", begin.elapsed());
    let begin = Instant::now();
    let error = client.wait_for_job(&job_id).timeout(limit).await.unwrap_err();
    assert_eq!((error.is_timeout(), error.job_id()), (true, Some(&*job_id)), "{error}");
    assert!((limit..SOON).contains(&begin.elapsed()), "{:?}", begin.elapsed());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attempt_has_the_time_that_the_server_holds_its_answer() {
    let server = idle().await;
    let client = full_client(&server);
    let job_id = client.generate().body(request(&server, "Scorzonera")).send().await.unwrap().into_inner().job_id;
    let limited = RequestOptions::default().attempt_timeout(Duration::from_secs(5)).max_retries(0);
    let begin = Instant::now();
    let job = client.with_options(limited).get_job(&job_id).prefer("wait=6").send().await.unwrap();
    assert_eq!(
        (job.status.clone(), &job.headers()["preference-applied"]),
        (JobStatus::Queued, &"wait=6".parse().unwrap())
    );
    assert!(begin.elapsed() >= Duration::from_secs(6), "{:?}", begin.elapsed());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_waits_for_a_job_learns_of_its_end_at_once_and_asks_twice() {
    let server = idle().await;
    let proxy = Proxy::start(&server, Loss::None).await;
    let client = proxy.client(&server, |account| &account.api_key);
    let operator = full_client(&server);
    let job_id = operator.generate().body(request(&server, "Skirret")).send().await.unwrap().into_inner().job_id;
    // A server that answers at once would be asked over and over, a hundred times a second.
    let wait = client.wait_for_job(&job_id).poll_interval(Duration::from_millis(10));
    let cancel = async {
        proxy.until(|passed| passed.iter().any(|exchange| exchange.request.contains_key("prefer"))).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        let held = proxy.passed().pop().unwrap();
        assert_eq!((held.request["prefer"].as_bytes(), held.answer.is_none()), (&b"wait=20"[..], true));
        let cancelled = operator.cancel_job(&job_id).send().await.unwrap();
        assert_eq!(cancelled.status, JobStatus::Cancelled);
        Instant::now()
    };
    let (job, cancelled_at) = tokio::join!(async { (wait.await.unwrap(), Instant::now()) }, cancel);
    let (job, told_at) = job;
    assert_eq!((job.status.clone(), job.done), (JobStatus::Cancelled, true));
    assert!(told_at.saturating_duration_since(cancelled_at) < SOON);
    assert_eq!(proxy.passed().len(), 2, "one look that is answered at once, and one that is held");
    server.stop().await;
}
