//! Slips in pages, leads and cancelled jobs.

use http::StatusCode;
use serde_json::{Value, json};

use super::answer::{Answer, Asked};
use crate::domain::fault::table::{contract, leads, paging, state};

pub(super) fn spoil(asked: &Asked, answer: &mut Answer) {
    let without = |name: &'static str| {
        move |row: &mut Value| {
            row.as_object_mut().map(|members| members.remove(name));
        }
    };
    match asked.operation {
        "list_articles" if contract::TAGS_NULL.is_on() => answer.edit_rows(|row| row["tags"] = Value::Null),
        "list_leads" if contract::LEADS_NO_CONSENT.is_on() => answer.edit_rows(without("consent")),
        "list_scheduled_posts" if contract::POST_NO_STATUS.is_on() => answer.edit_rows(without("status")),
        "list_websites" if contract::WEBSITE_NAMES.is_on() => answer.edit_rows(|row| {
            row["websiteId"] = row["website_id"].take();
            without("website_id")(row);
        }),
        "list_websites" if contract::BARE_ARRAY.is_on() => answer.edit(|page| *page = page["items"].take()),
        "get_lead" if contract::FIELDS_NULL.is_on() => answer.edit(|lead| lead["fields"] = Value::Null),
        "get_lead" if leads::SINGLE_DIFFERS.is_on() => answer.edit(|lead| lead["message"] = Value::Null),
        "cancel_job" if state::CANCELLED_100.is_on() => answer.edit(|job| job["progress"] = json!(100)),
        "list_scheduled_posts" if state::ENTRY_MINUTE_LATE.is_on() => answer.edit_rows(|row| {
            let later = row["published_at"].as_str().and_then(|text| chrono::DateTime::parse_from_rfc3339(text).ok());
            if let Some(later) = later.map(|time| time.to_utc() + chrono::Duration::seconds(60)) {
                row["published_at"] = json!(later.to_rfc3339_opts(chrono::SecondsFormat::Millis, true));
            }
        }),
        "cancel_job" if contract::CANCEL_EMPTY.is_on() => answer.set_body("application/json", ""),
        "cancel_job" if contract::CANCEL_204.is_on() => {
            answer.set_body("application/json", "");
            answer.set_status(StatusCode::NO_CONTENT);
        }
        "list_leads" | "get_lead" if leads::CACHEABLE.is_on() => {
            answer.set_header("cache-control", "public, max-age=60");
        }
        _ => {}
    }
    let is_empty = answer.json.as_ref().is_some_and(|page| page["items"] == json!([]));
    if paging::WEBSITE_UNKNOWN.is_on() && is_empty && asked.query.contains("website_id=") {
        answer.set_status(StatusCode::NOT_FOUND);
        answer.set_body(
            "application/problem+json",
            r#"{"status":404,"code":"route_not_found","title":"Route not found"}"#,
        );
    }
}
