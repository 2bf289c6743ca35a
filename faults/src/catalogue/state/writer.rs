//! A writer that never writes.

use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::super::refusals;
use super::records::{edit_entries, edit_read_job, is_read};
use crate::memory::Memory;
use crate::message::{Operation, Request, Response};

pub(super) const FAULTS: &[Fault] =
    &[fault("state.every-job-fails", "Every job fails.", &["articles.fetch.ever"]).response(fail)];

fn fail(response: &mut Response, request: &Request, _: &Memory) {
    let error = json!({ "code": "generator_unavailable", "message": "The writer is away.", "retryable": true });
    edit_read_job(response, request, |job| {
        if job["status"] == "completed" {
            (job["status"], job["article_id"], job["error"]) = (json!("failed"), Value::Null, error.clone());
            job["progress"] = json!(99);
        }
    });
    edit_entries(response, request, |entry| {
        if entry["status"] != "queued" && entry["status"] != "generating" && entry["status"] != "cancelled" {
            (entry["status"], entry["article_id"], entry["error"]) = (json!("failed"), Value::Null, error.clone());
            (entry["published_at"], entry["attempts"]) = (Value::Null, json!(0));
        }
    });
    if is_read(response, request, Operation::GetArticle) {
        *response = refusals::in_place_of(response, 404, "generation_failed", "Generation failed");
    }
    if is_read(response, request, Operation::ListArticles) {
        response.edit(|page| page["items"] = json!([]));
    }
}
