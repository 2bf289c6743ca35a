//! `leads get`: shows all data of a lead.

use contentgen_sdk::types;
use serde_json::json;

use super::lead_rows;
use super::raw::raw;
use crate::arguments::Lead;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::output::Screen;
use crate::text::{facts, time, visible};

/// Shows a lead.
pub(super) async fn lead(options: &Lead, connection: &Connection, screen: Screen) -> Result<(), Failure> {
    let lead = connection.client.get_lead(&options.lead_id).send().await?;
    screen.result(|| words(&lead), &raw(&lead))
}

/// Formats the spam rating of a lead with its reasons.
fn spam(spam: &types::LeadSpam) -> String {
    let suspected = if spam.suspected { "suspected" } else { "not suspected" };
    format!("{suspected}, {} of 100: {}", spam.score, lead_rows::reasons(spam))
}

/// Formats a lead for people: its data, then the message, which may have several lines.
fn words(lead: &types::Lead) -> String {
    let map = |members: serde_json::Value| (members != json!({})).then(|| members.to_string());
    let consent = if lead.consent.given { "given" } else { "not given" };
    let known = facts([
        ("lead", Some(lead.id.clone())),
        ("captured", Some(time(lead.captured_at))),
        ("website", Some(lead.website_id.clone())),
        ("article", lead.article_id.clone()),
        ("email", lead.email.clone()),
        ("name", lead.name.clone()),
        ("company", lead.company.clone()),
        ("phone", lead.phone.clone()),
        ("phone as typed", lead.phone_typed.clone().filter(|typed| lead.phone.as_ref() != Some(typed))),
        ("fields", map(json!(lead.fields))),
        ("form", lead.source.form_id.clone()),
        ("page", lead.source.page_url.clone()),
        ("referrer", lead.source.referrer.clone()),
        ("utm", map(json!(lead.source.utm))),
        ("consent", Some(consent.to_owned())),
        ("consent at", lead.consent.at.map(time)),
        ("consent text", lead.consent.text.clone()),
        ("confirmation", lead.confirmation.as_ref().map(|confirmation| confirmation.status.to_string())),
        ("confirmed", lead.confirmation.as_ref().and_then(|confirmation| confirmation.confirmed_at).map(time)),
        ("changed", Some(time(lead.updated_at))),
        ("spam", lead.spam.as_ref().filter(|spam| spam.score > 0).map(spam)),
    ]);
    match &lead.message {
        Some(message) => format!("{known}\n{}\n", visible(message).trim_end()),
        None => known,
    }
}
