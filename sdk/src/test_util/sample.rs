//! Sample responses of the service, each with a given id, and sample errors. The fields of responses are public: change those that a test
//! needs.

use http::{HeaderMap, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::error::Error;
use crate::error_kind::ErrorKind;
use crate::key::ApiKey;
use crate::types::{Article, ArticleSummary, Job, JobStatus, Lead, QueuedJob, ScheduledPost, Website};
use crate::webhook::HookEvent;

/// Time of everything in the samples.
const TIME: &str = "2026-01-02T03:04:05.000Z";

/// The response to `generate`.
pub fn queued_job(job_id: &str) -> QueuedJob {
    read(json!({
        "job_id": job_id, "status": "queued", "website_id": "web_1", "topic": "Raised beds for a small garden",
        "metadata": {}, "scheduled_post_id": "post_1", "created_at": TIME
    }))
}

/// A job in a state. A completed one names the article `art_` plus its own id; a failed one has an error.
pub fn job(job_id: &str, status: impl Into<JobStatus>) -> Job {
    let status = status.into();
    let (completed, failed) = (status == JobStatus::Completed, status == JobStatus::Failed);
    let done = completed || failed || status == JobStatus::Cancelled;
    read(json!({
        "job_id": job_id, "status": status, "done": done, "progress": if completed { 100 } else { 0 },
        "website_id": "web_1", "topic": "Raised beds for a small garden", "metadata": {}, "attempts": 1,
        "article_id": completed.then(|| format!("art_{job_id}")), "scheduled_post_id": "post_1",
        "error": failed.then(|| json!({
            "code": "generator_unavailable", "message": "The writer could not be reached.", "retryable": true
        })),
        "created_at": TIME, "started_at": TIME, "finished_at": done.then_some(TIME)
    }))
}

/// A published article with a short text.
pub fn article(id: &str) -> Article {
    let mut members = summary_members(id);
    let text = json!({
        "topic": "Raised beds for a small garden", "content_markdown": "## Choose a place\n\nSun matters most.",
        "content_html": "<h2 id=\"choose-a-place\">Choose a place</h2>\n<p>Sun matters most.</p>",
        "outline": [{ "level": 2, "text": "Choose a place", "anchor": "choose-a-place" }],
        "generator": "offline", "metadata": {}
    });
    members
        .as_object_mut()
        .into_iter()
        .for_each(|members| members.extend(text.as_object().cloned().unwrap_or_default()));
    read(members)
}

/// A published article, as in lists and events.
pub fn article_summary(id: &str) -> ArticleSummary {
    read(summary_members(id))
}

/// A lead who agreed to receive e-mail.
pub fn lead(id: &str) -> Lead {
    read(json!({
        "id": id, "website_id": "web_1", "article_id": "art_1", "email": "reader@example.com", "name": "Robin Reader",
        "message": "Do you teach a course?", "fields": {}, "source": { "form_id": "article-footer", "utm": {} },
        "consent": { "given": true, "at": TIME }, "captured_at": TIME, "updated_at": TIME
    }))
}

/// An active website.
pub fn website(website_id: &str) -> Website {
    read(json!({
        "website_id": website_id, "status": "active", "name": "Garden Notes", "url": "https://garden.example",
        "language": "en", "time_zone": "UTC", "auto_publish": true, "created_at": TIME, "updated_at": TIME
    }))
}

/// A scheduled post that waits for its job.
pub fn scheduled_post(id: &str) -> ScheduledPost {
    read(json!({
        "id": id, "website_id": "web_1", "job_id": "job_1", "topic": "Raised beds for a small garden",
        "status": "queued", "auto_publish": true, "attempts": 0, "created_at": TIME, "updated_at": TIME
    }))
}

/// The event of a published article; [`HookSigner`](super::HookSigner) signs it as a hook.
pub fn article_published(event_id: &str, article: &ArticleSummary) -> HookEvent {
    event(event_id, "article.published", &json!({ "article": article, "job_id": article.job_id, "metadata": {} }))
}

/// The event of a published article that was edited.
pub fn article_updated(event_id: &str, article: &ArticleSummary) -> HookEvent {
    event(event_id, "article.updated", &json!({ "article": article, "job_id": article.job_id, "metadata": {} }))
}

/// The event of a captured lead.
pub fn lead_captured(event_id: &str, lead: &Lead) -> HookEvent {
    event(event_id, "lead.captured", &json!({ "lead": lead }))
}

/// The event of a lead that a person confirmed.
pub fn lead_confirmed(event_id: &str, lead: &Lead) -> HookEvent {
    event(event_id, "lead.confirmed", &json!({ "lead": lead }))
}

/// The event of a failed job.
pub fn job_failed(event_id: &str, job: &Job) -> HookEvent {
    event(event_id, "job.failed", &json!({ "job": job }))
}

/// The event of a scheduled post whose article could not be published.
pub fn scheduled_post_failed(event_id: &str, post: &ScheduledPost) -> HookEvent {
    event(event_id, "scheduled_post.failed", &json!({ "scheduled_post": post }))
}

/// An event of a kind that this version of the crate does not know, as a newer service may send it.
pub fn unknown_event(event_id: &str, kind: &str) -> HookEvent {
    event(event_id, kind, &json!({}))
}

/// An error of a kind, as of a call that got no response. For a refusal by the server, see [`api_error`].
pub fn error(kind: ErrorKind) -> Error {
    Error::new(kind, kind.to_string())
}

/// The error of a refusal with a status and a problem code, as the service sends it.
///
/// # Panics
///
/// If the status is not between 100 and 999.
pub fn api_error(status: u16, code: &str) -> Error {
    let status = StatusCode::from_u16(status).expect("`status` must be from 100 to 999");
    let problem = json!({
        "type": format!("urn:problem-type:content-generation:{code}"), "status": status.as_u16(), "code": code,
        "detail": "A sample.", "request_id": "req_sample"
    });
    Error::from_response(status, HeaderMap::new(), problem.to_string().as_bytes(), &ApiKey::none())
}

/// The error of a wait that ended before this job.
pub fn wait_timeout(job_id: &str) -> Error {
    error(ErrorKind::WaitTimeout).with(|inner| inner.job_id = Some(job_id.to_owned()))
}

fn event(id: &str, kind: &str, data: &Value) -> HookEvent {
    read(json!({ "id": id, "type": kind, "timestamp": TIME, "api_version": "v1", "data": data }))
}

fn summary_members(id: &str) -> Value {
    json!({
        "id": id, "job_id": "job_1", "website_id": "web_1", "status": "published",
        "title": "Raised Beds for a Small Garden", "slug": "raised-beds-for-a-small-garden",
        "url": "https://garden.example/raised-beds-for-a-small-garden", "excerpt": "Where to put them.",
        "keywords": ["raised beds"], "tags": ["garden"], "language": "en", "word_count": 6, "reading_time_minutes": 1, "created_at": TIME,
        "updated_at": TIME, "published_at": TIME
    })
}

fn read<T: DeserializeOwned>(members: Value) -> T {
    serde_json::from_value(members).expect("the sample has every member that the document requires")
}
