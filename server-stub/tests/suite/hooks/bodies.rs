//! Bodies of events: complete if small, truncated if large, and always valid by the document.

use contentgen_server_stub::domain::article::{Article, ArticleStatus, Metadata};
use contentgen_server_stub::domain::event::{Event, MAX_BODY_BYTES, MAX_WHOLE_BODY_BYTES};
use contentgen_server_stub::domain::failure::Failure;
use contentgen_server_stub::domain::job::JobStatus;
use contentgen_server_stub::domain::post::PostStatus;
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::storage;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use tempfile::TempDir;

use crate::api::contract;
use crate::store::world::World;

/// A character of four bytes in UTF-8.
const WIDE: &str = "\u{1f35e}";

async fn world() -> (World, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let store = storage::open(
        &format!("sqlite:{}", folder.path().join("test.db").display()),
        &storage::Options::new(Arc::new(SystemRandomness)),
    )
    .unwrap();
    (World::new(store).await, folder)
}

/// Returns the data of a body. Checks it against the document's schema of its type and that of all events.
fn data(body: &[u8], schema: &str) -> Value {
    let event: Value = serde_json::from_slice(body).unwrap();
    for schema in [schema, "HookEvent", "HookEnvelope"] {
        let reference = json!({ "$ref": format!("#/components/schemas/{schema}") });
        let violations: Vec<_> = contract::validator(&reference)
            .iter_errors(&event)
            .map(|violation| format!("{violation} at {}", violation.instance_path()))
            .collect();
        assert!(violations.is_empty(), "{schema}: {violations:?} in {event}");
    }
    event["data"].clone()
}

#[tokio::test]
async fn a_lead_with_ten_kilobytes_of_text_is_announced_whole_and_one_beyond_20_kib_is_truncated() {
    let (world, _folder) = world().await;
    let (mut lead, _) = world.lead(Some("someone@example.org"));
    lead.message = Some("\u{fc}".repeat(5000).into());
    let event = Event::lead_captured("evt_1".to_owned(), &lead, None);
    assert!(event.body.len() > 10_000);
    let told = data(&event.body, "LeadCapturedEvent");
    assert_eq!(told["lead"]["message"], **lead.message.as_ref().unwrap());
    assert_eq!(told.get("left_out"), None);

    lead.fields =
        (0..32).map(|number| (format!("field_{number}"), WIDE.repeat(200))).collect::<BTreeMap<_, _>>().into();
    lead.source.page_url = Some("https://example.org/page".to_owned().into());
    let link = "https://content.example/link".to_owned().into();
    let event = Event::lead_captured("evt_1".to_owned(), &lead, Some(&link));
    let told = data(&event.body, "LeadCapturedEvent");
    assert_eq!(told["confirmation_url"], "https://content.example/link");
    assert!(event.body.len() < 4096, "{}", event.body.len());
    assert_eq!((&told["left_out"], &told["lead"]["fields"]), (&json!(1 + 32 + 1), &json!({})));
    assert_eq!(told["lead"]["email"], "someone@example.org");
    assert_eq!(told["lead"]["id"], lead.id);
}

#[tokio::test]
async fn a_job_whose_metadata_is_as_large_as_it_may_be_is_announced_without_it() {
    let (world, _folder) = world().await;
    let mut job = world.submission(&WIDE.repeat(1000)).job;
    job.status = JobStatus::Failed;
    job.error = Some(Failure { code: "internal".to_owned(), message: "It failed.".to_owned(), retryable: true });
    job.finished_at = Some(world.now());
    let told = data(&Event::job_failed("evt_1".to_owned(), &job, world.now()).body, "JobFailedEvent");
    assert_eq!((told.get("left_out"), &told["job"]["metadata"]), (None, &json!({ "order": "7" })));

    job.request.metadata = (0..16).map(|number| (format!("{number:040}"), WIDE.repeat(500))).collect();
    let event = Event::job_failed("evt_1".to_owned(), &job, world.now());
    assert!(event.body.len() <= MAX_WHOLE_BODY_BYTES);
    let told = data(&event.body, "JobFailedEvent");
    assert_eq!((&told["left_out"], &told["job"]["metadata"]), (&json!(16), &json!({})));
    assert_eq!((&told["job"]["topic"], &told["job"]["status"]), (&json!(job.request.topic), &json!("failed")));
}

#[tokio::test]
async fn a_post_that_could_not_be_published_is_announced_whole_however_long_its_texts_are() {
    let (world, _folder) = world().await;
    let mut post = world.submission(&WIDE.repeat(1000)).post;
    post.status = PostStatus::Failed;
    post.publish_at = Some(world.now());
    post.error = Some(Failure { code: "publish_failed".to_owned(), message: WIDE.repeat(1000), retryable: true });
    let event = Event::scheduled_post_failed("evt_1".to_owned(), &post, world.now());
    assert!(event.body.len() <= MAX_WHOLE_BODY_BYTES);
    assert_eq!(data(&event.body, "ScheduledPostFailedEvent")["scheduled_post"], json!(post));
}

#[tokio::test]
async fn an_article_is_announced_without_its_text_unless_asked_for_and_truncated_when_it_is_large() {
    let (world, _folder) = world().await;
    let mut article = world.article("A title", None, ArticleStatus::Scheduled);
    article.content.content_html = "<p>planted</p>".to_owned();
    article.metadata = Metadata::from([("order".to_owned(), "7".to_owned())]);
    let article = article.published("https://example.org/a".to_owned(), world.now());
    let made =
        |article: &Article| Event::article_published("evt_1".to_owned(), "acc_1", article, "post_1", world.now());
    let event = made(&article);
    assert!(!String::from_utf8_lossy(&event.body).contains("planted"));
    let told = data(&event.body, "ArticlePublishedEvent");
    assert_eq!((told.get("content_html"), told.get("left_out")), (None, None));
    assert_eq!(told["metadata"], json!(article.metadata));
    assert!(!article.metadata.is_empty());
    let with_content = data(&event.body_with_content.unwrap(), "ArticlePublishedEvent");
    assert_eq!(with_content["content_html"], "<p>planted</p>");

    // An edit is announced with the same data.
    let edited = article.clone().edited(article.content.clone(), 1, world.now()).unwrap();
    let event = Event::article_updated("evt_2".to_owned(), "acc_1", &edited, Some("post_1"), world.now());
    assert_eq!(event.object_id, format!("{}.2", article.id));
    let told = data(&event.body, "ArticleUpdatedEvent");
    assert_eq!(told["article"]["version"], 2);
    assert_eq!(told["article"], json!(edited.summary()));
    let with_content = data(&event.body_with_content.unwrap(), "ArticleUpdatedEvent");
    assert_eq!(with_content["content_html"], "<p>planted</p>");

    // The text may exceed the limit for complete bodies, but never the limit of all bodies.
    let mut long = article.clone();
    long.content.content_html = "x".repeat(MAX_WHOLE_BODY_BYTES + 1);
    assert!(made(&long).body_with_content.is_some());
    long.content.content_html = "x".repeat(MAX_BODY_BYTES);
    let event = made(&long);
    assert_eq!(event.body_with_content, None);
    assert!(event.body.len() < 4096);

    let mut wide = article;
    wide.content.tags = (0..10).map(|number| format!("{number}{}", WIDE.repeat(600))).collect();
    let event = made(&wide);
    assert!(event.body.len() < 4096);
    let told = data(&event.body, "ArticlePublishedEvent");
    let parts = 10 + wide.content.keywords.len() + usize::from(!wide.content.excerpt.is_empty()) + wide.metadata.len();
    assert_eq!(
        (&told["left_out"], &told["article"]["tags"], &told["metadata"]),
        (&json!(parts), &json!([]), &json!({}))
    );
    for member in ["id", "url", "slug", "title", "status", "language", "created_at", "updated_at", "published_at"] {
        assert!(told["article"][member].is_string(), "{member}");
    }
}
