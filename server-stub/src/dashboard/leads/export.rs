//! CSV export of the leads that match the filters. It is streamed page by page, so its size is not limited.

use axum::body::Body;
use bytes::Bytes;
use futures::{StreamExt as _, TryStreamExt as _, stream};
use serde_json::json;

use super::super::{Form, Result, Visit, csv, layout};
use super::list::parse_filter;
use crate::domain::error_chain::ErrorChain;
use crate::domain::lead::Lead;
use crate::domain::personal::Personal;
use crate::domain::search::Search;
use crate::domain::time_zone::TimeZone;

/// Names of the columns.
const COLUMNS: [&str; 24] = [
    "id",
    "captured_at",
    "website_id",
    "article_id",
    "email",
    "name",
    "company",
    "phone",
    "phone_typed",
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

/// Sends the table. This is a POST request, because the audit trail records it.
pub(in crate::dashboard) async fn submit(visit: Visit, form: Form) -> Result {
    let zone = TimeZone::of_list(&visit.app().websites(visit.account()).await?, form.text("website"));
    let (filter, search) = (parse_filter(&form, zone)?, Search::parse(form.text("search")));
    let leads = visit.app().export_leads(visit.account(), filter, search).await?;
    let lines = |leads: Vec<Lead>| leads.iter().map(|lead| csv::line(&record(lead))).collect::<String>();
    let lines = leads.map_ok(move |leads| Bytes::from(lines(leads))).inspect_err(|error| {
        // The download is cut off, and the browser reports that.
        tracing::error!(error = %ErrorChain(error), "an export of leads failed");
    });
    let table = stream::once(async { Ok(Bytes::from(csv::head(&COLUMNS))) }).chain(lines);
    let name = format!("leads-{}.csv", zone.day_of(visit.app().clock().wall()));
    Ok(layout::download(&name, csv::MEDIA_TYPE, Body::from_stream(table)))
}

/// Returns the record of a lead with all its data. Custom form fields are in one column as JSON.
fn record(lead: &Lead) -> [String; COLUMNS.len()] {
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
        text(&lead.phone_typed),
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
