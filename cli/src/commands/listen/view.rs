//! Display of events. Personal data is hidden unless requested, to keep it out of terminals and logs.

use contentgen_sdk::types::{ArticleSummary, Lead};
use contentgen_sdk::webhook::{HookEvent, Verified};
use serde_json::{Value, json};

use crate::commands::personal::{impersonal, picked};
use crate::output::Screen;
use crate::text::{line, on_one_line};

/// Fields of an event without personal data.
const ENVELOPE: [&str; 4] = ["id", "type", "timestamp", "api_version"];

/// Display options of events.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    pub(super) screen: Screen,
    pub(super) shows_leads: bool,
}

impl View {
    /// Formats a hook on one line. Also returns the id of the article that it announces.
    pub(super) fn show(self, hook: &Verified) -> (String, Option<String>) {
        match hook.event() {
            Ok(event) => {
                let shown = if self.screen.is_json {
                    self.screen.line(&self.json(&event))
                } else {
                    self.words(hook.id(), &event)
                };
                let article_id = match &event {
                    HookEvent::ArticlePublished(event) => Some(event.data.article.id.clone()),
                    HookEvent::ArticleUpdated(event) => Some(event.data.article.id.clone()),
                    _ => None,
                };
                (shown, article_id)
            }
            // The signature is valid, so the sender is not at fault if this program cannot read the event.
            Err(fault) if self.screen.is_json => {
                (line(&json!({ "id": hook.id(), "unreadable": fault.to_string() })), None)
            }
            Err(fault) => (format!("{}\n", on_one_line(&format!("{} cannot be read: {fault}", hook.id()))), None),
        }
    }

    /// Formats an earlier event about a lead on one line.
    pub(super) fn missed_lead(self, event_type: &str, lead: &Lead) -> String {
        if !self.screen.is_json {
            return format!("missed {}\n", on_one_line(&self.lead(event_type, lead)));
        }
        let whole = json!(lead);
        let lead = if self.shows_leads { whole } else { impersonal(&whole) };
        line(&json!({ "missed": { "type": event_type, "data": { "lead": lead } } }))
    }

    /// Formats an article that was published earlier on one line.
    pub(super) fn missed_article(self, article: &ArticleSummary) -> String {
        if !self.screen.is_json {
            return format!("missed {}\n", on_one_line(&article_event("article.published", article)));
        }
        line(&json!({ "missed": { "type": "article.published", "data": { "article": article } } }))
    }

    /// Formats an event for programs: its fields by their names in the document, without personal data.
    fn json(self, event: &HookEvent) -> Value {
        let whole = json!(event);
        if self.shows_leads {
            return whole;
        }
        match event {
            HookEvent::ArticlePublished(_)
            | HookEvent::ArticleUpdated(_)
            | HookEvent::JobFailed(_)
            | HookEvent::ScheduledPostFailed(_)
            | HookEvent::HookTest(_) => whole,
            HookEvent::LeadCaptured(_) | HookEvent::LeadConfirmed(_) => {
                let mut shown = picked(&whole, &ENVELOPE);
                shown.insert("data".to_owned(), json!({ "lead": impersonal(&whole["data"]["lead"]) }));
                Value::Object(shown)
            }
            // An unknown event may contain personal data anywhere.
            _ => Value::Object(picked(&whole, &ENVELOPE)),
        }
    }

    /// Formats an event for people.
    fn words(self, hook_id: &str, event: &HookEvent) -> String {
        let told = match event {
            HookEvent::ArticlePublished(event) => article_event("article.published", &event.data.article),
            HookEvent::ArticleUpdated(event) => article_event("article.updated", &event.data.article),
            HookEvent::LeadCaptured(event) => self.lead("lead.captured", &event.data.lead),
            HookEvent::LeadConfirmed(event) => self.lead("lead.confirmed", &event.data.lead),
            HookEvent::JobFailed(event) => {
                let job = &event.data.job;
                let reason = job.error.as_ref().map(|error| format!(": {} ({})", error.message, error.code));
                format!("job.failed {}{}", job.job_id, reason.unwrap_or_default())
            }
            HookEvent::ScheduledPostFailed(event) => {
                let post = &event.data.scheduled_post;
                let reason = post.error.as_ref().map(|error| format!(": {} ({})", error.message, error.code));
                format!("scheduled_post.failed {}{}", post.id, reason.unwrap_or_default())
            }
            HookEvent::HookTest(_) => "hook.test".to_owned(),
            HookEvent::Unknown(whole) if self.shows_leads => whole.as_json().to_string(),
            other => format!("{} (unknown event type; --show-personal shows the whole event)", other.event_type()),
        };
        format!("{} {}\n", on_one_line(hook_id), on_one_line(&told))
    }

    fn lead(self, event_type: &str, lead: &Lead) -> String {
        let place = lead.article_id.as_deref().unwrap_or(&lead.website_id);
        let Lead { name, email, company, phone, message, fields, .. } = lead;
        if !self.shows_leads {
            return format!("{event_type} {} for {place}", lead.id);
        }
        let mut told: Vec<String> = [name, email, company, phone, message].into_iter().flatten().cloned().collect();
        told.extend(fields.iter().map(|(name, value)| format!("{name}: {value}")));
        format!("{event_type} {} for {place}: {}", lead.id, told.join(" | "))
    }
}

/// Formats an event about a published article.
fn article_event(event_type: &str, article: &ArticleSummary) -> String {
    let url = article.url.as_deref().unwrap_or("no URL");
    format!("{event_type} {} {:?} at {url}", article.id, article.title)
}
