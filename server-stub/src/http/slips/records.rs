//! Slips in single records: the 202, jobs and articles.

use serde_json::{Value, json};

use super::answer::{Answer, Asked};
use crate::domain::fault::table::{article, contract, hooks, idempotency, state};

pub(super) fn spoil(asked: &Asked, answer: &mut Answer) {
    match asked.operation {
        "generate" => queued(answer),
        "get_job" => job(asked, answer),
        "get_article" => written(asked, answer),
        _ => {}
    }
}

/// What a handler makes that answers with whatever it finds.
pub(super) fn stub(answer: &mut Answer) {
    let is_early = answer.json.as_ref().is_some_and(|body| body["code"] == "article_not_ready");
    if state::NOT_READY_STUB.is_on() && is_early {
        answer.set_status(http::StatusCode::OK);
        answer.set_header("content-type", "application/json");
        answer.edit(|body| *body = json!({ "status": "pending" }));
    }
}

fn queued(answer: &mut Answer) {
    let is_replay = answer.header("idempotency-replayed").is_some();
    answer.edit(|body| {
        if contract::JOB_ID_AS_ID.is_on() {
            body["id"] = body["job_id"].take();
            body.as_object_mut().map(|members| members.remove("job_id"));
        }
        if contract::JOB_ID_NUMBER.is_on() {
            body["job_id"] = json!(4711);
        }
        if contract::STATUS_PENDING.is_on() {
            body["status"] = json!("pending");
        }
        if contract::UNIX_TIMES.is_on() {
            body["created_at"] = json!(1_760_000_000);
        }
        if contract::METADATA_NULL.is_on() && body["metadata"] == json!({}) {
            body["metadata"] = Value::Null;
        }
        if state::ENTRY_ID_OTHER.is_on() {
            body["scheduled_post_id"] = body["job_id"].clone();
        }
        if idempotency::REPLAY_CURRENT.is_on() && is_replay {
            body["status"] = json!("in_progress");
        }
    });
    if contract::GENERATE_IS_200.is_on() {
        answer.set_status(http::StatusCode::OK);
    }
    if contract::NO_LOCATION.is_on() {
        answer.remove_header("location");
    }
    if contract::LOCATION_OF_POST.is_on() {
        let post = answer.json.as_ref().and_then(|body| body["scheduled_post_id"].as_str()).unwrap_or_default();
        answer.set_header("location", &format!("/api/v1/jobs/{post}"));
    }
    if contract::NO_RETRY_AFTER.is_on() {
        answer.remove_header("retry-after");
    }
    if contract::RETRY_AFTER_0.is_on() {
        answer.set_header("retry-after", "0");
    }
}

fn job(asked: &Asked, answer: &mut Answer) {
    answer.edit(|body| {
        if contract::ATTEMPTS_TEXT.is_on() {
            body["attempts"] = json!(body["attempts"].to_string());
        }
        if contract::NO_DONE.is_on() {
            body.as_object_mut().map(|members| members.remove("done"));
        }
        if state::CREATED_NOW.is_on() {
            body["created_at"] = json!(asked.now);
        }
        if state::JOB_POST_OTHER.is_on() {
            body["scheduled_post_id"] = body["job_id"].clone();
        }
        if state::PROGRESS_1.is_on() && body["status"] == "queued" {
            body["progress"] = json!(1);
        }
        if state::FINISHED_NOW.is_on() && body["done"] == true {
            body["finished_at"] = json!(asked.now);
        }
    });
    if state::OPEN_NO_RETRY.is_on() {
        answer.remove_header("retry-after");
    }
    if contract::TEXT_HTML.is_on() {
        answer.set_header("content-type", "text/html");
    }
    if state::JOB_PUBLIC.is_on() {
        answer.set_header("cache-control", "public, max-age=60");
    }
}

fn written(asked: &Asked, answer: &mut Answer) {
    let is_new = |body: &Value| {
        let second = |text: &str| text.get(..19).map(ToOwned::to_owned);
        let published = body["published_at"].as_str().and_then(second);
        published.is_some() && published >= second(&asked.now).map(|now| less_by_two_seconds(&now))
    };
    answer.edit(|body| {
        if contract::WORDS_TEXT.is_on() {
            body["word_count"] = json!(body["word_count"].to_string());
        }
        if contract::NO_OUTLINE.is_on() {
            body.as_object_mut().map(|members| members.remove("outline"));
        }
        if state::SCHEDULED_AS_DRAFT.is_on() && body["status"] == "scheduled" {
            body["status"] = json!("draft");
        }
        if state::DRAFT_WITH_URL.is_on() && body["url"].is_null() {
            body["url"] = body["canonical_url"].clone();
        }
        if state::SLUG_TWICE.is_on() {
            let slug = body["slug"].as_str().unwrap_or_default();
            let bare = slug.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '-');
            body["slug"] = json!(bare);
        }
        if article::REPORT_NUMBERS.is_on() {
            body["voice"]["checks"][0]["observed"] = json!(7);
        }
        if hooks::ARTICLE_EARLY.is_on() && is_new(body) {
            body["status"] = json!("scheduled");
            (body["url"], body["published_at"]) = (Value::Null, Value::Null);
        }
    });
    if state::ARTICLE_PUBLIC.is_on() {
        answer.set_header("cache-control", "public, max-age=60");
    }
    if state::NO_LAST_MODIFIED.is_on() {
        answer.remove_header("last-modified");
    }
    if state::LAST_MODIFIED_ISO.is_on() {
        answer.set_header("last-modified", &asked.now);
    }
}

/// A moment two seconds before one that is written as RFC 3339 without zone.
fn less_by_two_seconds(moment: &str) -> String {
    let parsed = chrono::NaiveDateTime::parse_from_str(moment, "%Y-%m-%dT%H:%M:%S").unwrap_or_default();
    (parsed - chrono::Duration::seconds(2)).format("%Y-%m-%dT%H:%M:%S").to_string()
}
