//! What of an event is shown. What people have told about themselves is not, unless it is asked for: it does not belong on a
//! terminal or in a log.

use contentgen_sdk::types::{ArticleSummary, Lead};
use contentgen_sdk::webhook::{HookEvent, VerifiedHook};
use serde_json::{Map, Value, json};

use crate::text::{line, on_one_line};

/// The members of an event that say nothing about anybody.
const ENVELOPE: [&str; 4] = ["id", "type", "timestamp", "api_version"];
/// The members of a lead that say nothing about who it is.
const IMPERSONAL: [&str; 5] = ["id", "website_id", "article_id", "captured_at", "updated_at"];

/// How events are shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    pub(super) is_json: bool,
    pub(super) shows_leads: bool,
}

impl View {
    /// A hook on one line, and the article that it announces.
    pub(super) fn show(self, hook: &VerifiedHook) -> (String, Option<String>) {
        match hook.event() {
            Ok(event) => {
                let shown = if self.is_json { line(&self.json(&event)) } else { self.words(hook.id(), &event) };
                let article_id = match &event {
                    HookEvent::ArticlePublished(event) => Some(event.data.article.id.clone()),
                    _ => None,
                };
                (shown, article_id)
            }
            // It is signed, so it is not the sender's fault that this program cannot read it.
            Err(fault) if self.is_json => (line(&json!({ "id": hook.id(), "unreadable": fault.to_string() })), None),
            Err(fault) => (format!("{}\n", on_one_line(&format!("{} cannot be read: {fault}", hook.id()))), None),
        }
    }

    /// An event about a lead that happened before the program listened, on one line.
    pub(super) fn missed_lead(self, event_type: &str, lead: &Lead) -> String {
        if !self.is_json {
            return format!("missed {}\n", on_one_line(&self.lead(event_type, lead)));
        }
        let whole = json!(lead);
        let lead = if self.shows_leads { whole } else { Value::Object(picked(&whole, &IMPERSONAL)) };
        line(&json!({ "missed": { "type": event_type, "data": { "lead": lead } } }))
    }

    /// An article that was published before anybody listened, on one line.
    pub(super) fn missed_article(self, article: &ArticleSummary) -> String {
        if !self.is_json {
            return format!("missed {}\n", on_one_line(&published(article)));
        }
        line(&json!({ "missed": { "type": "article.published", "data": { "article": article } } }))
    }

    /// An event for programs: its members by their names in the document, without those that are personal.
    fn json(self, event: &HookEvent) -> Value {
        let whole = json!(event);
        if self.shows_leads {
            return whole;
        }
        match event {
            HookEvent::ArticlePublished(_) | HookEvent::JobFailed(_) | HookEvent::HookTest(_) => whole,
            HookEvent::LeadCaptured(_) | HookEvent::LeadConfirmed(_) => {
                let mut shown = picked(&whole, &ENVELOPE);
                shown.insert("data".to_owned(), json!({ "lead": picked(&whole["data"]["lead"], &IMPERSONAL) }));
                Value::Object(shown)
            }
            // Nobody knows what stands in it.
            _ => Value::Object(picked(&whole, &ENVELOPE)),
        }
    }

    /// An event for people.
    fn words(self, hook_id: &str, event: &HookEvent) -> String {
        let told = match event {
            HookEvent::ArticlePublished(event) => published(&event.data.article),
            HookEvent::LeadCaptured(event) => self.lead("lead.captured", &event.data.lead),
            HookEvent::LeadConfirmed(event) => self.lead("lead.confirmed", &event.data.lead),
            HookEvent::JobFailed(event) => {
                let job = &event.data.job;
                let reason = job.error.as_ref().map(|error| format!(": {} ({})", error.message, error.code));
                format!("job.failed {}{}", job.job_id, reason.unwrap_or_default())
            }
            HookEvent::HookTest(_) => "hook.test".to_owned(),
            HookEvent::Unknown(whole) if self.shows_leads => whole.as_json().to_string(),
            other => format!("{} (unknown event type; --show-lead shows the whole event)", other.event_type()),
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

/// An article that can be read.
fn published(article: &ArticleSummary) -> String {
    let url = article.url.as_deref().unwrap_or("no URL");
    format!("article.published {} {:?} at {url}", article.id, article.title)
}

/// The named members of an object, as far as it has them.
fn picked(object: &Value, names: &[&str]) -> Map<String, Value> {
    names.iter().filter_map(|name| Some(((*name).to_owned(), object.get(*name)?.clone()))).collect()
}
