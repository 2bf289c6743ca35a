//! Events that hooks announce and the bytes that are signed. Nothing here delivers them.

use std::time::Duration;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::clock::Timestamp;
use super::job::Job;
use super::lead::Lead;
use super::publication::Article;

/// How long events are kept, with their deliveries and attempts (HOOKS: retention).
pub const KEPT_FOR: Duration = Duration::from_hours(30 * 24);
/// Above this a body with the article's text is sent without it (HOOKS: hard limit of a body, bytes).
pub const MAX_BODY_BYTES: usize = 64 * 1024;

/// What can be announced (CONTRACT 1.10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum EventType {
    /// A lead was captured.
    #[serde(rename = "lead.captured")]
    LeadCaptured,
    /// An article finished publishing.
    #[serde(rename = "article.published")]
    ArticlePublished,
    /// A job failed for good; only for endpoints that ask for it.
    #[serde(rename = "job.failed")]
    JobFailed,
    /// A user pressed "send test".
    #[serde(rename = "hook.test")]
    HookTest,
}

impl EventType {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::LeadCaptured, Self::ArticlePublished, Self::JobFailed, Self::HookTest];
    /// What an endpoint gets unless it asks otherwise: the two documented ones.
    pub const DEFAULT: [Self; 2] = [Self::LeadCaptured, Self::ArticlePublished];

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::LeadCaptured => "lead.captured",
            Self::ArticlePublished => "article.published",
            Self::JobFailed => "job.failed",
            Self::HookTest => "hook.test",
        }
    }

    /// The type with that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event_type| event_type.as_str() == name)
    }
}

/// An event as it is stored: its bytes are made once and sent unchanged with every attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// `evt_…`, the `webhook-id` of every attempt.
    pub id: String,
    /// The owner.
    pub account_id: String,
    /// The website it is about.
    pub website_id: String,
    /// What happened.
    pub event_type: EventType,
    /// The article, lead or job it is about; at most one event of a type exists for it.
    pub object_id: String,
    /// The body.
    pub body: Bytes,
    /// The body for endpoints that want the article's text, when it differs and is small enough.
    pub body_with_content: Option<Bytes>,
    /// When it happened.
    pub created_at: Timestamp,
}

impl Event {
    /// A lead was captured.
    pub fn lead_captured(id: String, lead: &Lead) -> Self {
        let data = json!({ "lead": lead });
        Self {
            body: envelope(&id, EventType::LeadCaptured, lead.captured_at, &data),
            body_with_content: None,
            account_id: lead.account_id.clone(),
            website_id: lead.website_id.clone(),
            event_type: EventType::LeadCaptured,
            object_id: lead.id.clone(),
            created_at: lead.captured_at,
            id,
        }
    }

    /// An article finished publishing at `now`.
    pub fn article_published(id: String, account_id: &str, article: &Article, post_id: &str, now: Timestamp) -> Self {
        let mut data = json!({
            "article": article.summary(),
            "job_id": article.job_id,
            "scheduled_post_id": post_id,
        });
        let body = envelope(&id, EventType::ArticlePublished, now, &data);
        data["content_markdown"] = json!(article.content.content_markdown);
        data["content_html"] = json!(article.content.content_html);
        let with_content = envelope(&id, EventType::ArticlePublished, now, &data);
        Self {
            body,
            body_with_content: (with_content.len() <= MAX_BODY_BYTES).then_some(with_content),
            account_id: account_id.to_owned(),
            website_id: article.website_id.clone(),
            event_type: EventType::ArticlePublished,
            object_id: article.id.clone(),
            created_at: now,
            id,
        }
    }

    /// A user wants to see a hook arrive at one endpoint.
    pub fn hook_test(id: String, account_id: &str, now: Timestamp) -> Self {
        Self {
            body: envelope(&id, EventType::HookTest, now, &json!({})),
            body_with_content: None,
            account_id: account_id.to_owned(),
            website_id: String::new(),
            event_type: EventType::HookTest,
            // Every test is an event of its own.
            object_id: id.clone(),
            created_at: now,
            id,
        }
    }

    /// A job failed for good at `now`.
    pub fn job_failed(id: String, job: &Job, now: Timestamp) -> Self {
        let data = json!({ "job": job.view() });
        Self {
            body: envelope(&id, EventType::JobFailed, now, &data),
            body_with_content: None,
            account_id: job.account_id.clone(),
            website_id: job.website_id.clone(),
            event_type: EventType::JobFailed,
            object_id: job.id.clone(),
            created_at: now,
            id,
        }
    }
}

fn envelope(id: &str, event_type: EventType, timestamp: Timestamp, data: &serde_json::Value) -> Bytes {
    let envelope = json!({
        "id": id,
        "type": event_type.as_str(),
        "timestamp": timestamp,
        "api_version": "v1",
        "data": data,
    });
    Bytes::from(envelope.to_string())
}
