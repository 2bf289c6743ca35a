//! The stand-in that applications test with.

use std::time::Duration;

use contentgen_sdk::test_util::{MockService, sample};
use contentgen_sdk::types::{Article, JobStatus};
use serde_json::json;
use wiremock::matchers::path;
use wiremock::{Mock, ResponseTemplate};

#[tokio::test]
async fn what_it_is_told_last_counts() {
    let service = MockService::start().await;
    service.has_job(&sample::job("job_1", JobStatus::Queued));
    let client = service.client();
    let wait = client.wait_for_job("job_1").poll_interval(Duration::from_millis(1));
    let ended = wait.on_progress(|_queued| service.has_job(&sample::job("job_1", JobStatus::Cancelled))).await.unwrap();
    assert_eq!(ended.status, JobStatus::Cancelled);
}

#[tokio::test]
async fn an_outage_passes_and_every_attempt_is_counted() {
    let service = MockService::start().await;
    service.queues("job_1");
    service.fails("generate", 2, 503, "unavailable");
    let queued = service.client().generate().topic("t").website_id("web_1").send().await.unwrap();
    assert_eq!(queued.job_id, "job_1");
    assert_eq!(service.calls_of("generate").await, 3);
    assert_eq!(service.bodies_of("generate").await, vec![json!({ "topic": "t", "website_id": "web_1" }); 3]);
    assert_eq!(service.calls_of("get_job").await, 0);
}

#[tokio::test]
async fn every_operation_has_an_answer_and_what_was_not_told_is_not_found() {
    let service = MockService::start().await;
    service.has_websites(&[sample::website("web_1")]);
    service.has_scheduled_posts(&[sample::scheduled_post("post_1")]);
    service.has_articles(&[sample::article_summary("art_2")]);
    service.has_job(&sample::job("job_1", JobStatus::Failed));
    let client = service.client();
    assert_eq!(client.list_websites().send().await.unwrap().items[0].website_id, "web_1");
    assert_eq!(client.list_articles().send().await.unwrap().items[0].id, "art_2");
    assert_eq!(client.list_scheduled_posts().send().await.unwrap().items[0].id, "post_1");
    assert!(client.cancel_job().job_id("job_1").send().await.unwrap().error.is_some());
    assert_eq!(client.get_job().job_id("job_2").send().await.unwrap_err().code(), Some("job_not_found"));
    assert_eq!(client.get_article().id("art_1").send().await.unwrap_err().code(), Some("article_not_found"));
}

#[tokio::test]
async fn an_id_of_any_characters_is_found() {
    let service = MockService::start().await;
    for id in ["order 1/ä:2", "100%", "%41", "a+b", "job_1"] {
        service.has_job(&sample::job(id, JobStatus::Queued));
        let client = service.client();
        assert_eq!(client.get_job().job_id(id).send().await.unwrap().job_id, id);
        assert_eq!(client.cancel_job().job_id(id).send().await.unwrap().job_id, id);
    }
    let unknown = service.client().get_job().job_id("order%201").send().await.unwrap_err();
    assert_eq!(unknown.code(), Some("job_not_found"));
}

#[tokio::test]
async fn anything_else_can_be_mounted_on_the_server_itself() {
    let service = MockService::start().await;
    let odd = ResponseTemplate::new(200).set_body_json(json!({ "title": "Odd" }));
    Mock::given(path("/api/v1/articles/art_1")).respond_with(odd).mount(service.server()).await;
    let article: Article = service.client().get_article().id("art_1").send().await.unwrap().into_inner();
    assert_eq!(article.title.as_deref(), Some("Odd"));
}

#[test]
#[should_panic(expected = "there is no operation")]
fn an_operation_that_there_is_not_is_a_mistake_of_the_test() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { MockService::start().await.fails("get_jobs", 1, 500, "internal_error") });
}
