//! The mock service for tests of applications.

use std::time::Duration;

use contentgen_sdk::ErrorKind;
use contentgen_sdk::test_util::{MockResponse, MockService, sample};
use contentgen_sdk::types::{Article, JobStatus, ProblemCode};
use serde_json::json;

#[tokio::test]
async fn what_it_is_told_last_counts() {
    let service = MockService::start().await;
    service.add_job(&sample::job("job_1", JobStatus::Queued));
    let client = service.client();
    let wait = client.wait_for_job("job_1").poll_interval(Duration::from_millis(1));
    let ended = wait.on_progress(|_queued| service.add_job(&sample::job("job_1", JobStatus::Cancelled))).await.unwrap();
    assert_eq!(ended.status, JobStatus::Cancelled);
}

#[tokio::test]
async fn an_outage_passes_and_every_attempt_is_counted() {
    let service = MockService::start().await;
    service.set_queued_job("job_1");
    service.fail_first("generate", 2, 429, "rate_limited");
    let queued = service.client().generate().topic("t").website_id("web_1").send().await.unwrap();
    assert_eq!(queued.job_id, "job_1");
    assert_eq!(service.calls_of("generate").await, 3);
    assert_eq!(service.bodies_of("generate").await, vec![json!({ "topic": "t", "website_id": "web_1" }); 3]);
    assert_eq!(service.calls_of("get_job").await, 0);
}

#[tokio::test]
async fn every_operation_has_an_answer_and_what_was_not_told_is_not_found() {
    let service = MockService::start().await;
    service.set_websites(&[sample::website("web_1")]);
    service.set_scheduled_posts(&[sample::scheduled_post("post_1")]);
    service.set_articles(&[sample::article_summary("art_2")]);
    service.add_job(&sample::job("job_1", JobStatus::Failed));
    let client = service.client();
    assert_eq!(client.list_websites().send().await.unwrap().items[0].website_id, "web_1");
    assert_eq!(client.list_articles().send().await.unwrap().items[0].id, "art_2");
    assert_eq!(client.list_scheduled_posts().send().await.unwrap().items[0].id, "post_1");
    assert!(client.cancel_job("job_1").send().await.unwrap().error.is_some());
    assert_eq!(client.get_job("job_2").send().await.unwrap_err().code(), Some("job_not_found"));
    assert_eq!(client.get_article("art_1").send().await.unwrap_err().code(), Some("article_not_found"));
}

#[tokio::test]
async fn an_id_of_any_characters_is_found() {
    let service = MockService::start().await;
    for id in ["order 1/ä:2", "100%", "%41", "a+b", "job_1"] {
        service.add_job(&sample::job(id, JobStatus::Queued));
        let client = service.client();
        assert_eq!(client.get_job(id).send().await.unwrap().job_id, id);
        assert_eq!(client.cancel_job(id).send().await.unwrap().job_id, id);
    }
    let unknown = service.client().get_job("order%201").send().await.unwrap_err();
    assert_eq!(unknown.code(), Some("job_not_found"));
}

#[tokio::test]
async fn any_other_response_can_be_given() {
    let service = MockService::start().await;
    service.respond("get_article", Some("art_1"), MockResponse::new(200).json(&json!({ "title": "Odd" })));
    let page = MockResponse::new(502).header("X-Request-Id", "req_7").body("<html>Bad gateway</html>", "text/html");
    service.respond("get_lead", Some("lead_1"), page.clone());
    let client = service.client();
    let article: Article = client.get_article("art_1").send().await.unwrap().into_inner();
    assert_eq!(article.title.as_deref(), Some("Odd"));
    let error = client.get_lead("lead_1").send().await.unwrap_err();
    assert_eq!((error.status().unwrap().as_u16(), error.request_id()), (502, Some("req_7")));
    assert_eq!(error.headers()["content-type"], "text/html");
    assert!(error.body_excerpt().unwrap().contains("Bad gateway"), "{error:?}");
    // Temporarily, for any id.
    service.respond_first("get_article", 2, page);
    assert_eq!(client.get_article("art_1").send().await.unwrap().title.as_deref(), Some("Odd"));
    assert_eq!(service.calls_of("get_article").await, 4);
}

#[tokio::test]
async fn what_was_asked_is_told() {
    let service = MockService::start().await;
    service.set_queued_job("job_1");
    service.set_leads(&[]);
    let client = service.client();
    client.generate().topic("t").website_id("web_1").idempotency_key("row-1").send().await.unwrap();
    client.list_leads().website_id("web_1").limit(7).send().await.unwrap();
    let requests = service.requests().await;
    let [queued, listed] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!((queued.operation, queued.method.as_str()), (Some("generate"), "POST"));
    assert_eq!(
        (queued.path_and_query.as_str(), &queued.headers["idempotency-key"]),
        ("/api/v1/generate", &"row-1".parse().unwrap())
    );
    assert_eq!(queued.json(), json!({ "topic": "t", "website_id": "web_1" }));
    assert_eq!((listed.operation, listed.body.len()), (Some("list_leads"), 0));
    assert_eq!(listed.path_and_query, "/api/v1/leads?website_id=web_1&limit=7");
    assert_eq!(service.requests_of("list_leads").await.len(), 1);
}

/// For tests of code that handles errors.
#[test]
fn errors_can_be_made_without_a_call() {
    let busy = sample::api_error(429, "rate_limited");
    assert_eq!((busy.kind(), busy.problem_code()), (ErrorKind::Api, Some(&ProblemCode::RateLimited)));
    assert!(
        busy.is_retryable() && busy.request_id().is_some() && busy.to_string().contains("429 rate_limited"),
        "{busy}"
    );
    let late = sample::wait_timeout("job_1");
    assert_eq!((late.kind(), late.job_id(), late.is_timeout()), (ErrorKind::WaitTimeout, Some("job_1"), true));
    assert_eq!(sample::error(ErrorKind::Connect).kind(), ErrorKind::Connect);
}

#[test]
#[should_panic(expected = "there is no operation")]
fn an_operation_that_there_is_not_is_a_mistake_of_the_test() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { MockService::start().await.fail_first("get_jobs", 1, 500, "internal_error") });
}

/// The mock server below may change its version at any time, so its types must not be public.
#[test]
fn the_crate_below_shows_nowhere() {
    let listing = include_str!("../../public-api.txt");
    let showing: Vec<&str> = listing.lines().filter(|line| line.contains("wiremock")).collect();
    assert!(showing.is_empty(), "{showing:?}");
}
