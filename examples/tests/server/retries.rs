//! Tests retries against the reference server.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use contentgen_faults::{FaultyServer, catalogue};
use contentgen_sdk::{Client, RequestOptions, RetrySafety};

use super::proxy::{Loss, Proxy};
use super::{base_url, client, demonstration, full_client, request};

/// Returns options for immediate retries, unless the server requests a pause. The reference server stores idempotency keys.
fn hasty() -> RequestOptions {
    let options = RequestOptions::default().server_keeps_idempotency_keys(true);
    options.backoff(Duration::from_millis(1), Duration::from_millis(1))
}

/// Returns the jobs of all posts in the pipeline.
async fn jobs(client: &Client) -> Vec<String> {
    let mut posts = client.list_scheduled_posts().items();
    let mut jobs = Vec::new();
    while let Some(post) = posts.next().await {
        jobs.extend(post.expect("the pipeline can be read").job_id);
    }
    jobs
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_whose_response_is_lost_is_processed_once() {
    for loss in [Loss::Unavailable, Loss::BreaksOff] {
        let server = demonstration().await;
        let proxy = Proxy::start(&server, loss).await;
        let client = proxy.client(&server, |account| &account.api_key).with_options(hasty());
        let queued = client.generate().body(request(&server, "Sorrel")).send().await.unwrap();
        assert_eq!(queued.headers()["idempotency-replayed"], "true", "{loss:?}");
        let passed = proxy.passed();
        let sent: Vec<_> = passed.iter().map(|exchange| &exchange.method).collect();
        assert_eq!(sent, [Method::POST, Method::POST], "the first answer was lost, the second was not");
        assert!(passed.iter().all(|exchange| exchange.answer.as_ref().unwrap().status == StatusCode::ACCEPTED));
        let keys: Vec<_> = passed.iter().map(|exchange| &exchange.request["idempotency-key"]).collect();
        assert!(keys[0] == keys[1] && keys[0].len() >= 16, "the SDK makes a key: {keys:?}");
        assert_eq!(jobs(&full_client(&server)).await, [&*queued.job_id], "{loss:?}");

        // Another call with the same request gets another key.
        let other = client.generate().body(request(&server, "Sorrel")).send().await.unwrap();
        assert_eq!(jobs(&full_client(&server)).await, [&*other.job_id, &*queued.job_id]);
        server.stop().await;
    }
}

/// Without the option, and without a replay: the list has shown that the server implements the whole document.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_has_spoken_with_the_reference_server_retries_a_lost_request() {
    for loss in [Loss::Unavailable, Loss::BreaksOff] {
        let server = demonstration().await;
        let faulty = FaultyServer::start(&base_url(&server)).await.expect("ports are free");
        let proxy = Proxy::in_front_of(faulty.base_url(), loss).await;
        let client = proxy.client(&server, |account| &account.api_key);
        client.list_websites().send().await.unwrap();
        let queued = client.generate().body(request(&server, "Sorrel")).send().await.unwrap();
        assert_eq!(queued.headers()["idempotency-replayed"], "true", "{loss:?}");
        assert_eq!(jobs(&full_client(&server)).await, [&*queued.job_id], "{loss:?}");
        server.stop().await;
    }
}

/// A server of the core profile shows neither quotas nor problem documents, and may ignore the key.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_shows_nothing_of_the_whole_document_is_sent_one_request() {
    for loss in [Loss::Unavailable, Loss::BreaksOff] {
        let server = demonstration().await;
        let faulty = FaultyServer::start(&base_url(&server)).await.expect("ports are free");
        for name in ["limits.unannounced", "benign.documented-only", "idempotency.ignored"] {
            faulty.enable(catalogue::find(name).expect("the catalogue has it"));
        }
        let proxy = Proxy::in_front_of(faulty.base_url(), loss).await;
        let client = proxy.client(&server, |account| &account.api_key);
        client.list_websites().send().await.unwrap_err();
        let error = client.generate().body(request(&server, "Sorrel")).send().await.unwrap_err();
        assert_eq!((error.attempts(), error.retry_safety()), (1, RetrySafety::MayDuplicate), "{loss:?}: {error}");
        assert_eq!(jobs(&full_client(&server)).await.len(), 1, "{loss:?}");
        // If the caller claims that it keeps keys, it queues a second article: the fault is a real one.
        let trusting = Proxy::in_front_of(faulty.base_url(), loss).await;
        let trusting = trusting.client(&server, |account| &account.api_key).with_options(hasty());
        trusting.generate().body(request(&server, "Sorrel")).send().await.unwrap();
        assert_eq!(jobs(&full_client(&server)).await.len(), 3, "{loss:?}");
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_exceeded_quota_is_waited_out_for_as_long_as_the_server_asks() {
    let server = demonstration().await;
    let impatient = client(&server, |account| &account.limited_api_key).with_options(hasty().max_retries(0));
    // On a busy machine, the server may renew part of the quota during the loop, or even between the two calls.
    for _ in 0..100 {
        let mut refusal = None;
        for _ in 0..1000 {
            refusal = refusal.or(impatient.list_websites().send().await.err());
            if refusal.is_some() {
                break;
            }
        }
        let refusal = refusal.expect("a thousand requests are more than the quota");
        assert_eq!((refusal.code(), refusal.is_retryable()), (Some("rate_limited"), true));
        assert!(refusal.retry_after().is_some());

        // The only retry succeeds only after the pause that the server requests.
        let proxy = Proxy::start(&server, Loss::None).await;
        let limited = proxy.client(&server, |account| &account.limited_api_key);
        limited.with_options(hasty().max_retries(1)).list_websites().send().await.unwrap();
        if let [refused, repeated] = &proxy.passed()[..] {
            let answer = refused.answer.as_ref().unwrap();
            assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
            assert!(answer.headers.contains_key("retry-after"));
            assert_eq!(repeated.answer.as_ref().unwrap().status, StatusCode::OK);
            server.stop().await;
            return;
        }
    }
    panic!("the quota was renewed before each call");
}
