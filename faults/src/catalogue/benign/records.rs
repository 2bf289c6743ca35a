//! Records with arbitrary extra fields, and without optional fields.

use serde_json::{Value, json};

use super::super::fault::{Fault, Profile, variant};
use super::super::state::records::is_read;
use super::body::{self, entries_mut, swap_nulls};
use super::fields::NOT_OF_THE_SERVER;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, remove_member};

/// Names of extra fields that look meaningful.
const ODD: [&str; 8] = ["password", "token", "secret", "x_internal", "_links", "ref", "data", "item"];

/// Fields that may be null or absent, by their parent.
const OF_JOBS: &[&str] =
    &["progress", "article_id", "scheduled_post_id", "error", "deadline_at", "started_at", "finished_at"];
const OF_POSTS: &[&str] = &["job_id", "article_id", "publish_at", "published_at", "error"];
const OF_ARTICLES: &[&str] = &["job_id", "url", "published_at"];
const OF_LEADS: &[&str] = &["article_id", "email", "name", "company", "phone", "phone_typed", "message"];
const OF_SOURCES: &[&str] = &["page_url", "referrer", "form_id"];

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.odd-fields",
        "Each object has fields such as error, password, token, data and item: clients ignore unknown fields.",
        Profile::Full,
    )
    .response(odd_fields),
    variant(
        "benign.nulls-other-way",
        "Null fields are absent, and absent fields are null: both mean the same.",
        Profile::Full,
    )
    .response(nulls_other_way),
    variant("benign.sparse-records", "Records omit every optional field without a value.", Profile::Full)
        .response(|response, request, _| edit_records(response, request, thin)),
];

/// Changes each record in a response, whole or as a row.
fn edit_records(response: &mut Response, request: &Request, change: fn(&mut Value, Operation)) {
    let Some(operation) = request.operation().filter(|_| response.is_success()) else { return };
    if operation.is_list() {
        body::edit_rows(response, |row| change(row, operation));
    } else {
        body::edit(response, |record| change(record, operation));
    }
}

fn odd_fields(response: &mut Response, request: &Request, _: &Memory) {
    use Operation::{CancelJob, Generate, GetJob, GetScheduledPost, ListScheduledPosts};
    // The documented field of this name has a meaning.
    let has_error =
        matches!(request.operation(), Some(CancelJob | Generate | GetJob | GetScheduledPost | ListScheduledPosts));
    if request.operation().is_some() {
        body::edit(response, |value| enrich(value, !has_error));
    }
}

fn enrich(value: &mut Value, with_error: bool) {
    match value {
        Value::Object(fields) => {
            let own = fields.iter_mut().filter(|(name, _)| !NOT_OF_THE_SERVER.contains(&name.as_str()));
            own.for_each(|(_, field)| enrich(field, with_error));
            for name in ODD.into_iter().chain(with_error.then_some("error")) {
                fields.entry(name).or_insert_with(|| json!({ "is": [name, null, 7] }));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| enrich(item, with_error)),
        _ => {}
    }
}

fn nulls_other_way(response: &mut Response, request: &Request, _: &Memory) {
    edit_records(response, request, |record, operation| match operation {
        Operation::GetJob | Operation::CancelJob => swap_nulls(record, OF_JOBS),
        Operation::ListScheduledPosts | Operation::GetScheduledPost => swap_nulls(record, OF_POSTS),
        Operation::ListArticles => swap_nulls(record, OF_ARTICLES),
        Operation::GetArticle => {
            swap_nulls(record, OF_ARTICLES);
            swap_nulls(record, &["canonical_url", "hero_image"]);
        }
        Operation::ListLeads | Operation::GetLead => {
            swap_nulls(record, OF_LEADS);
            record.get_mut("source").into_iter().for_each(|source| swap_nulls(source, OF_SOURCES));
            record.get_mut("consent").into_iter().for_each(|consent| swap_nulls(consent, &["text", "at"]));
        }
        Operation::ListWebsites => swap_nulls(record, &["brand_voice_id"]),
        Operation::Generate | Operation::CaptureLead => {}
    });
    if is_read(response, request, Operation::ListLeads) {
        body::edit(response, |page| swap_nulls(page, &["next_page"]));
    }
}

fn thin(record: &mut Value, operation: Operation) {
    let is_empty = |value: Option<&Value>| value.and_then(Value::as_array).is_some_and(Vec::is_empty);
    match operation {
        Operation::GetJob | Operation::CancelJob => remove_all(record, &["progress", "deadline_at"]),
        Operation::GetArticle => {
            remove_all(record, &["canonical_url", "hero_image"]);
            if let Some(voice) = record.get_mut("voice") {
                remove_all(voice, &["brand_voice_id", "brand_voice_version"]);
                entries_mut(voice, "checks").for_each(|check| remove_all(check, &["expected", "observed"]));
            }
        }
        Operation::ListLeads | Operation::GetLead => {
            if record.pointer("/spam/suspected") == Some(&Value::Bool(false)) {
                remove_all(record, &["spam"]);
            }
            if record.pointer("/confirmation/status").is_some_and(|status| status == "not_required") {
                remove_all(record, &["confirmation"]);
            }
        }
        Operation::ListWebsites if is_empty(record.get("publishing_slots")) => {
            remove_all(record, &["publishing_slots"]);
        }
        _ => {}
    }
}

fn remove_all(record: &mut Value, names: &[&str]) {
    for name in names {
        remove_member(record, name);
    }
}
