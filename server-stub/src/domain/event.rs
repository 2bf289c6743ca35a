//! Webhook events and the bodies that are signed.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::article::{Article, ArticleSummary};
use super::clock::Timestamp;
use super::job::Job;
use super::lead::{Lead, LeadSource};
use super::names::names;
use super::personal::Personal;
use super::post::ScheduledPost;

/// Maximum size of a complete body in bytes (Standard Webhooks 1.0.0 advises less).
pub const MAX_WHOLE_BODY_BYTES: usize = 20 * 1024;
/// Maximum size of any body in bytes. If the article's text would make the body larger, the text is left out.
pub const MAX_BODY_BYTES: usize = 64 * 1024;

names! {
    /// Type of an event.
    #[derive(Serialize, Deserialize)]
    pub enum EventType {
        /// A lead was captured.
        #[serde(rename = "lead.captured")]
        LeadCaptured = "lead.captured",
        /// The person behind a lead confirmed it; sent only to endpoints that subscribe to it.
        #[serde(rename = "lead.confirmed")]
        LeadConfirmed = "lead.confirmed",
        /// An article finished publishing.
        #[serde(rename = "article.published")]
        ArticlePublished = "article.published",
        /// A user edited a published article; sent only to endpoints that subscribe to it.
        #[serde(rename = "article.updated")]
        ArticleUpdated = "article.updated",
        /// A job failed permanently; sent only to endpoints that subscribe to it.
        #[serde(rename = "job.failed")]
        JobFailed = "job.failed",
        /// The article of a post could not be published; sent only to endpoints that subscribe to it.
        #[serde(rename = "scheduled_post.failed")]
        ScheduledPostFailed = "scheduled_post.failed",
        /// The owner of an endpoint requested a test webhook.
        #[serde(rename = "hook.test")]
        HookTest = "hook.test",
    }
}

impl EventType {
    /// Default subscription of an endpoint: the two documented types.
    pub const DEFAULT: [Self; 2] = [Self::LeadCaptured, Self::ArticlePublished];
}

/// A stored event. Its body is rendered once, so that every attempt sends the same bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// `evt_…`, sent as `webhook-id` with every attempt.
    pub id: String,
    /// The owner.
    pub account_id: String,
    /// The website it is about.
    pub website_id: String,
    /// Type of the event.
    pub event_type: EventType,
    /// Id of the article, lead or job, each of which has at most one event of a type. An edit adds the article's version. For a
    /// test, and for a post, which may fail several times, the event's id.
    pub object_id: String,
    /// Body without the article's text.
    pub body: Personal<Bytes>,
    /// Body with the article's text, if it differs and is small enough.
    pub body_with_content: Option<Personal<Bytes>>,
    /// Time of the event.
    pub created_at: Timestamp,
}

impl Event {
    /// Creates the event for a captured lead. `confirmation_url` is set if the lead must be confirmed; only this event contains
    /// it.
    pub fn lead_captured(id: String, lead: &Lead, confirmation_url: Option<&Personal<String>>) -> Self {
        let with_link = |mut data: Value| {
            if let Some(url) = confirmation_url {
                data["confirmation_url"] = url.as_str().into();
            }
            data
        };
        let envelope = Envelope { id: &id, event_type: EventType::LeadCaptured, timestamp: lead.captured_at };
        Self {
            body: envelope.body(&with_link(json!({ "lead": lead })), || with_link(truncated_lead(lead))),
            body_with_content: None,
            account_id: lead.account_id.clone(),
            website_id: lead.website_id.clone(),
            event_type: EventType::LeadCaptured,
            object_id: lead.id.clone(),
            created_at: lead.captured_at,
            id,
        }
    }

    /// Creates the event for a lead that was confirmed at `now`.
    pub fn lead_confirmed(id: String, lead: &Lead, now: Timestamp) -> Self {
        let envelope = Envelope { id: &id, event_type: EventType::LeadConfirmed, timestamp: now };
        Self {
            body: envelope.body(&json!({ "lead": lead }), || truncated_lead(lead)),
            body_with_content: None,
            account_id: lead.account_id.clone(),
            website_id: lead.website_id.clone(),
            event_type: EventType::LeadConfirmed,
            object_id: lead.id.clone(),
            created_at: now,
            id,
        }
    }

    /// Creates the event for an article that finished publishing at `now`.
    pub fn article_published(id: String, account_id: &str, article: &Article, post_id: &str, now: Timestamp) -> Self {
        Self::of_article(id, (EventType::ArticlePublished, article.id.clone()), account_id, article, Some(post_id), now)
    }

    /// Creates the event for a published article that was edited at `now`. The post of an old article was purged.
    pub fn article_updated(
        id: String,
        account_id: &str,
        article: &Article,
        post_id: Option<&str>,
        now: Timestamp,
    ) -> Self {
        let object_id = format!("{}.{}", article.id, article.version);
        Self::of_article(id, (EventType::ArticleUpdated, object_id), account_id, article, post_id, now)
    }

    fn of_article(
        id: String,
        (event_type, object_id): (EventType, String),
        account_id: &str,
        article: &Article,
        post_id: Option<&str>,
        now: Timestamp,
    ) -> Self {
        let envelope = Envelope { id: &id, event_type, timestamp: now };
        let summary = article.summary();
        let mut data = json!({
            "article": summary,
            "job_id": article.job_id,
            "scheduled_post_id": post_id,
            "metadata": article.metadata,
        });
        let body = envelope.body(&data, || truncated_article(&summary, post_id, article.metadata.len()));
        data["content_markdown"] = json!(article.content.content_markdown);
        data["content_html"] = json!(article.content.content_html);
        let with_content = envelope.render(&data);
        Self {
            body,
            body_with_content: (with_content.len() <= MAX_BODY_BYTES).then_some(with_content),
            account_id: account_id.to_owned(),
            website_id: article.website_id.clone(),
            event_type,
            object_id,
            created_at: now,
            id,
        }
    }

    /// Creates a test event.
    pub fn hook_test(id: String, account_id: &str, now: Timestamp) -> Self {
        let envelope = Envelope { id: &id, event_type: EventType::HookTest, timestamp: now };
        Self {
            body: envelope.body(&json!({}), || json!({})),
            body_with_content: None,
            account_id: account_id.to_owned(),
            website_id: String::new(),
            event_type: EventType::HookTest,
            object_id: id.clone(),
            created_at: now,
            id,
        }
    }

    /// Creates the event for a job that failed permanently at `now`.
    pub fn job_failed(id: String, job: &Job, now: Timestamp) -> Self {
        let envelope = Envelope { id: &id, event_type: EventType::JobFailed, timestamp: now };
        Self {
            body: envelope.body(&json!({ "job": job.view() }), || truncated_job(job)),
            body_with_content: None,
            account_id: job.account_id.clone(),
            website_id: job.website_id.clone(),
            event_type: EventType::JobFailed,
            object_id: job.id.clone(),
            created_at: now,
            id,
        }
    }

    /// Creates the event for a post whose article could not be published, at `now`. The body has no long texts.
    pub fn scheduled_post_failed(id: String, post: &ScheduledPost, now: Timestamp) -> Self {
        let envelope = Envelope { id: &id, event_type: EventType::ScheduledPostFailed, timestamp: now };
        Self {
            body: envelope.render(&json!({ "scheduled_post": post })),
            body_with_content: None,
            account_id: post.account_id.clone(),
            website_id: post.website_id.clone(),
            event_type: EventType::ScheduledPostFailed,
            object_id: id.clone(),
            created_at: now,
            id,
        }
    }
}

/// Envelope around the data of every event.
struct Envelope<'a> {
    id: &'a str,
    event_type: EventType,
    timestamp: Timestamp,
}

impl Envelope<'_> {
    /// Renders the body with all of `data`, or with the result of `truncated` if that would be too large.
    fn body(&self, data: &Value, truncated: impl FnOnce() -> Value) -> Personal<Bytes> {
        let whole = self.render(data);
        if whole.len() <= MAX_WHOLE_BODY_BYTES {
            return whole;
        }
        let body = self.render(&truncated());
        // The limits on requests bound the remaining fields. A larger body would be a bug, which the dispatcher logs.
        debug_assert!(body.len() <= MAX_BODY_BYTES, "a truncated body has {} bytes", body.len());
        body
    }

    fn render(&self, data: &Value) -> Personal<Bytes> {
        let envelope = json!({
            "id": self.id,
            "type": self.event_type.as_str(),
            "timestamp": self.timestamp,
            "api_version": "v1",
            "data": data,
        });
        Bytes::from(envelope.to_string()).into()
    }
}

/// Returns the data of an article without excerpt, keywords, tags and its `metadata_count` labels.
fn truncated_article(article: &ArticleSummary, post_id: Option<&str>, metadata_count: usize) -> Value {
    let left_out =
        usize::from(!article.excerpt.is_empty()) + article.keywords.len() + article.tags.len() + metadata_count;
    let truncated =
        ArticleSummary { excerpt: String::new(), keywords: Vec::new(), tags: Vec::new(), ..article.clone() };
    let mut data =
        json!({ "article": truncated, "job_id": article.job_id, "scheduled_post_id": post_id, "metadata": {} });
    note(&mut data, left_out);
    data
}

/// Returns the data of a lead without its message, its fields, its source and its consent text.
fn truncated_lead(lead: &Lead) -> Value {
    let source = &lead.source;
    let parts = [&lead.message, &lead.consent.text, &source.page_url, &source.referrer, &source.form_id];
    let left_out = parts.iter().filter(|part| part.is_some()).count() + lead.fields.len() + source.utm.len();
    let mut truncated = lead.clone();
    (truncated.message, truncated.consent.text) = (None, None);
    truncated.fields = Personal::default();
    truncated.source = LeadSource::default();
    let mut data = json!({ "lead": truncated });
    note(&mut data, left_out);
    data
}

/// Returns the data of a job without its metadata.
fn truncated_job(job: &Job) -> Value {
    let mut data = json!({ "job": job.view() });
    let metadata = std::mem::replace(&mut data["job"]["metadata"], Value::Object(Map::new()));
    note(&mut data, metadata.as_object().map_or(0, Map::len));
    data
}

fn note(data: &mut Value, left_out: usize) {
    if left_out > 0 {
        data["left_out"] = left_out.into();
    }
}
