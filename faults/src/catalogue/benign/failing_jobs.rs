//! Servers with failing jobs: hides the article of every fourth job whose article is not published, so that no other article links to it.

use serde_json::{Value, json};

use super::super::fault::{Fault, Profile, variant};
use super::super::refusals;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response};

pub(super) const FAULTS: &[Fault] = &[variant(
    "benign.failing-jobs",
    "Every fourth job without auto_publish fails, which the document allows.",
    Profile::Full,
)
.response(fail)];

fn fail(response: &mut Response, request: &Request, memory: &Memory) {
    match request.operation() {
        Some(Operation::Generate) if response.is_success() && is_draft(request) => {
            if let Some(job_id) = response.text("/job_id")
                && memory.get(&job_id).is_none()
            {
                memory.put(&job_id, memory.next_number("jobs") % 4 == 3);
            }
        }
        Some(Operation::GetJob | Operation::CancelJob) => fail_job(response, memory, &request.id().unwrap_or_default()),
        Some(Operation::GetArticle) if response.is_success() => hide_article(response, request, memory),
        Some(Operation::ListArticles) => retain_rows(response, |row| !is_failed(text(row, "job_id"), memory)),
        Some(Operation::ListScheduledPosts) => fail_entries(response, request, memory),
        Some(Operation::GetScheduledPost) if response.is_success() => response.edit(|entry| fail_entry(entry, memory)),
        _ => {}
    }
}

fn is_draft(request: &Request) -> bool {
    request.json().is_some_and(|body| body["auto_publish"] == false)
}

fn is_failed(job_id: &str, memory: &Memory) -> bool {
    memory.get(job_id) == Some(Value::Bool(true))
}

fn text<'value>(value: &'value Value, name: &str) -> &'value str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn error() -> Value {
    json!({ "code": "content_rejected", "message": "The topic is not written about.", "retryable": false })
}

/// A completed job appears as failed, so it cannot be cancelled.
fn fail_job(response: &mut Response, memory: &Memory, job_id: &str) {
    if !is_failed(job_id, memory) {
        return;
    }
    response.edit(|body| {
        if text(body, "status") == "completed" {
            (body["status"], body["article_id"], body["error"]) = (json!("failed"), Value::Null, error());
            body["progress"] = json!(99);
        } else if text(body, "code") == "job_not_cancellable" {
            body["detail"] = json!("The job has failed already.");
        }
    });
}

fn hide_article(response: &mut Response, request: &Request, memory: &Memory) {
    let Some(id) = request.id() else { return };
    if is_failed(&id, memory) {
        *response = refusals::in_place_of(response, 404, "generation_failed", "Generation failed");
    } else if memory.world.other_of_pair(&id).is_some_and(|job_id| is_failed(&job_id, memory)) {
        *response = refusals::in_place_of(response, 404, "article_not_found", "Article not found");
    }
}

fn retain_rows(response: &mut Response, mut keeps: impl FnMut(&Value) -> bool) {
    response.edit(|page| {
        if let Some(rows) = page.get_mut("items").and_then(Value::as_array_mut) {
            rows.retain(&mut keeps);
        }
    });
    response.remove("content-length");
}

/// Scheduled posts of failed jobs. A filter by their state on the real server does not match them.
fn fail_entries(response: &mut Response, request: &Request, memory: &Memory) {
    response.edit_rows(|entry| fail_entry(entry, memory));
    if let Some(wanted) = request.parameter("status") {
        retain_rows(response, |entry| text(entry, "status") == wanted);
    }
}

fn fail_entry(entry: &mut Value, memory: &Memory) {
    let is_written = matches!(text(entry, "status"), "ready" | "scheduled" | "publishing" | "published");
    if is_written && is_failed(text(entry, "job_id"), memory) {
        (entry["status"], entry["article_id"], entry["error"]) = (json!("failed"), Value::Null, error());
        (entry["published_at"], entry["attempts"]) = (Value::Null, json!(0));
    }
}
