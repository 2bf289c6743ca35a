//! The blocking client, on threads without a runtime.

use contentgen_sdk::ErrorKind;
use contentgen_sdk::blocking::Client;
use contentgen_sdk::test_util::{MockService, sample};
use contentgen_sdk::types::{GenerateRequest, JobStatus};

/// A service that runs on a runtime of its own, and a blocking client for it.
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
    service.queues("job_1");
    service.has_job(&sample::job("job_1", JobStatus::Completed));
    service.has_article(&sample::article("art_job_1"));
    service.has_leads(&[sample::lead("lead_1"), sample::lead("lead_2")]);
    let request = GenerateRequest::builder().topic("t").website_id("web_1");
    let article = client.call(|api| api.generate_and_wait(request)).unwrap();
    assert_eq!(article.id.as_deref(), Some("art_job_1"));
    let ids: Vec<_> = client.items(|api| api.list_leads()).map(|lead| lead.unwrap().id).collect();
    assert_eq!(ids, ["lead_1", "lead_2"]);
    let error = client.call(|api| api.get_lead().lead_id("lead_3").send()).unwrap_err();
    assert_eq!(error.code(), Some("lead_not_found"));
    drop(runtime);
}

#[test]
fn one_call_can_have_options_that_differ_in_one_thing() {
    let (runtime, service, client) = start();
    service.fails("get_job", 9, 503, "unavailable");
    let once = client.with_options(client.options().clone().max_retries(0));
    assert_eq!(once.call(|api| api.get_job().job_id("job_1").send()).unwrap_err().attempts(), 1);
    assert_eq!(client.call(|api| api.get_job().job_id("job_1").send()).unwrap_err().attempts(), 4);
    assert_eq!(runtime.block_on(service.calls_of("get_job")), 5);
}

#[test]
fn one_client_serves_many_threads() {
    let (runtime, service, client) = start();
    service.has_job(&sample::job("job_1", JobStatus::Queued));
    let calls: Vec<_> = (0..8)
        .map(|_| {
            let client = client.clone();
            std::thread::spawn(move || client.call(|api| api.get_job().job_id("job_1").send()).map(|job| job.status()))
        })
        .collect();
    for call in calls {
        assert_eq!(call.join().unwrap().unwrap().as_u16(), 200);
    }
    assert_eq!(runtime.block_on(service.calls_of("get_job")), 8);
}

#[tokio::test]
async fn inside_asynchronous_code_it_refuses_instead_of_stopping_the_runtime() {
    let service = MockService::start().await;
    let client = Client::new(service.client()).unwrap();
    let error = client.call(|api| api.get_job().job_id("job_1").send()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Config);
    let listed: Vec<_> = client.items(|api| api.list_leads()).collect();
    assert!(matches!(&listed[..], [Err(error)] if error.kind() == ErrorKind::Config), "one error, then the end");
    assert_eq!(service.server().received_requests().await.unwrap().len(), 0);
}
