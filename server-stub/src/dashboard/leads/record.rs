//! CSV record of a lead.

use serde_json::json;

use crate::domain::lead::Lead;
use crate::domain::personal::Personal;

/// Names of the columns.
pub(super) const COLUMNS: [&str; 23] = [
    "id",
    "captured_at",
    "website_id",
    "article_id",
    "email",
    "name",
    "company",
    "phone",
    "message",
    "fields",
    "form_id",
    "page_url",
    "referrer",
    "utm",
    "consent_given",
    "consent_at",
    "consent_text",
    "spam_suspected",
    "spam_score",
    "spam_reasons",
    "confirmation",
    "confirmed_at",
    "updated_at",
];

/// Returns the record of a lead with all its data. Custom form fields are in one column as JSON.
pub(super) fn record(lead: &Lead) -> [String; COLUMNS.len()] {
    let text = |member: &Option<Personal<String>>| member.as_ref().map(|text| text.to_string()).unwrap_or_default();
    let map = |members: serde_json::Value| if members == json!({}) { String::new() } else { members.to_string() };
    [
        lead.id.clone(),
        lead.captured_at.to_string(),
        lead.website_id.clone(),
        lead.article_id.clone().unwrap_or_default(),
        text(&lead.email),
        text(&lead.name),
        text(&lead.company),
        text(&lead.phone),
        text(&lead.message),
        map(json!(*lead.fields)),
        text(&lead.source.form_id),
        text(&lead.source.page_url),
        text(&lead.source.referrer),
        map(json!(*lead.source.utm)),
        lead.consent.given.to_string(),
        lead.consent.at.map(|time| time.to_string()).unwrap_or_default(),
        text(&lead.consent.text),
        lead.spam.suspected.to_string(),
        lead.spam.score.to_string(),
        lead.spam.reasons.iter().map(|reason| reason.as_str()).collect::<Vec<_>>().join(" "),
        lead.confirmation.status.as_str().to_owned(),
        lead.confirmation.confirmed_at.map(|time| time.to_string()).unwrap_or_default(),
        lead.updated_at.to_string(),
    ]
}
