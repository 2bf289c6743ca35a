//! The blocking client, on threads without a runtime.

use contentgen_sdk::RequestOptions;
use contentgen_sdk::blocking::Client;
use contentgen_sdk::test_util::{MockResponse, MockService, sample};
use contentgen_sdk::types::{GenerateRequest, JobStatus};

/// Starts a service on a separate runtime, and a blocking client for it.
fn start() -> (tokio::runtime::Runtime, MockService, Client) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("threads can be started");
    let service = runtime.block_on(MockService::start());
    let client = Client::new(service.client()).expect("threads can be started");
    (runtime, service, client)
}

#[test]
fn calls_waits_and_lists_return_when_they_are_done() {
    let (runtime, service, client) = start();
    service.set_queued_job("job_1");
    service.add_job(&sample::job("job_1", JobStatus::Completed));
    service.add_article(&sample::article("art_job_1"));
    service.set_leads(&[sample::lead("lead_1"), sample::lead("lead_2")]);
    let request = GenerateRequest::new().topic("t").website_id("web_1");
    let article = client.generate_and_wait(request).wait().unwrap();
    assert_eq!(article.id.as_deref(), Some("art_job_1"));
    let ids: Vec<_> = client.list_leads().limit(2).items().map(|lead| lead.unwrap().id).collect();
    assert_eq!(ids, ["lead_1", "lead_2"]);
    let error = client.get_lead("lead_3").send().unwrap_err();
    assert_eq!(error.code(), Some("lead_not_found"));
    drop(runtime);
}

#[test]
fn one_call_can_have_options_that_differ_in_one_thing() {
    let (runtime, service, client) = start();
    service.fail_first("get_job", 9, 503, "unavailable");
    let once = client.with_options(RequestOptions::default().max_retries(0));
    assert_eq!(once.get_job("job_1").send().unwrap_err().attempts(), 1);
    assert_eq!(client.get_job("job_1").send().unwrap_err().attempts(), 4);
    assert_eq!(runtime.block_on(service.calls_of("get_job")), 5);
}

#[test]
fn every_operation_has_a_method() {
    let (runtime, service, client) = start();
    service.set_queued_job("job_1");
    service.add_job(&sample::job("job_1", JobStatus::Completed));
    service.add_article(&sample::article("art_job_1"));
    service.set_articles(&[sample::article_summary("art_1")]);
    service.set_scheduled_posts(&[sample::scheduled_post("post_1")]);
    service.set_websites(&[sample::website("web_1")]);
    service.set_leads(&[sample::lead("lead_1")]);
    let queued = client.generate().topic("t").website_id("web_1").idempotency_key("row-7").send().unwrap();
    let mut told = 0;
    let minute = std::time::Duration::from_secs(60);
    assert!(client.wait_for_job(&queued.job_id).timeout(minute).wait().unwrap().done);
    assert!(client.wait_for_article("job_1").on_progress(|_job| told += 1).wait().unwrap().id.is_some());
    assert_eq!(told, 1);
    assert_eq!(client.get_job("job_1").send().unwrap().job_id, "job_1");
    assert_eq!(client.cancel_job("job_1").send().unwrap().job_id, "job_1");
    assert_eq!(client.get_article("art_job_1").send().unwrap().id.as_deref(), Some("art_job_1"));
    assert_eq!(client.get_lead("lead_1").send().unwrap().id, "lead_1");
    assert_eq!(client.get_scheduled_post("post_1").send().unwrap().id, "post_1");
    assert_eq!(client.get_scheduled_post("post_2").send().unwrap_err().code(), Some("scheduled_post_not_found"));
    assert_eq!(client.list_articles().items().next().unwrap().unwrap().id, "art_1");
    assert_eq!(client.list_scheduled_posts().website_id("web_1").items().count(), 1);
    assert_eq!(client.list_websites().limit(1).pages().count(), 1);
    client.request(http::Method::GET, "/api/v1/jobs/job_1").send().unwrap();
    let order = client.generate().topic("t").website_id("web_1");
    assert!(order.send_and_wait().until_published().wait().unwrap().published_at.is_some());
    service.accept_leads("web_1");
    assert!(client.capture_lead("web_1").email("reader@example.com").send().unwrap().accepted);
    let requests = runtime.block_on(service.requests_of("generate"));
    assert_eq!(requests[0].headers["idempotency-key"], "row-7");
}

#[test]
fn a_list_goes_on_after_an_item_that_cannot_be_read() {
    let (_runtime, service, client) = start();
    let items = serde_json::json!({ "items": [{ "id": "lead_1" }, sample::lead("lead_2")] });
    service.respond("list_leads", None, MockResponse::new(200).json(&items));
    let leads: Vec<_> = client.list_leads().items().collect();
    let [Err(error), Ok(lead)] = &leads[..] else { panic!("{leads:?}") };
    assert_eq!(error.unreadable_item().unwrap().id.as_deref(), Some("lead_1"));
    assert_eq!(lead.id, "lead_2");
}

/// Both kinds of threads belong to a runtime and may block.
#[test]
fn threads_that_a_runtime_has_for_waiting_may_wait() {
    for threads in [0, 1] {
        let mut builder = if threads == 0 {
            tokio::runtime::Builder::new_current_thread()
        } else {
            tokio::runtime::Builder::new_multi_thread()
        };
        let runtime = builder.enable_all().build().unwrap();
        let client = runtime.block_on(async {
            let service = MockService::start().await;
            service.add_job(&sample::job("job_1", JobStatus::Queued));
            let client = Client::new(service.client()).unwrap();
            assert!(is_refused(&client), "a thread that polls must not block");
            let elsewhere = client.clone();
            let job = tokio::task::spawn_blocking(move || elsewhere.get_job("job_1").send()).await.unwrap();
            assert_eq!(job.unwrap().job_id, "job_1");
            if threads == 1 {
                let job = tokio::task::block_in_place(|| client.get_job("job_1").send());
                assert_eq!(job.unwrap().job_id, "job_1");
            }
            client
        });
        drop(client);
    }
}

#[test]
fn one_client_serves_many_threads() {
    let (runtime, service, client) = start();
    service.add_job(&sample::job("job_1", JobStatus::Queued));
    let calls: Vec<_> = (0..8)
        .map(|_| {
            let client = client.clone();
            std::thread::spawn(move || client.get_job("job_1").send().map(|job| job.http_status()))
        })
        .collect();
    for call in calls {
        assert_eq!(call.join().unwrap().unwrap().as_u16(), 200);
    }
    assert_eq!(runtime.block_on(service.calls_of("get_job")), 8);
}

/// Returns true if a call panics instead of blocking the thread.
fn is_refused(client: &Client) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| client.get_job("job_1").send())).is_err()
}

#[tokio::test]
async fn inside_asynchronous_code_it_panics_instead_of_stopping_the_runtime() {
    let service = MockService::start().await;
    let client = Client::new(service.client()).unwrap();
    assert!(is_refused(&client));
    assert_eq!(service.requests().await.len(), 0);
}
