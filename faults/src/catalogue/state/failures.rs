//! Faults in jobs that failed permanently, and in their effects.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::super::refusals;
use super::super::sender::{append, listed};
use super::records::{edit_entries, edit_job};
use crate::edge::Exchange;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response};

const ERROR: &[&str] = &["jobs.failed.error"];
const ARTICLE: &[&str] = &["articles.failed.not-found"];
const CANCEL: &[&str] = &["jobs.failed.cancel"];
const ENTRY: &[&str] = &["pipeline.failed.entry"];

/// Path of the list of failed jobs.
const FAILED: &str = "failed jobs";

pub(super) const FAULTS: &[Fault] = &[
    fault("state.failed-without-error", "A failed job has no error.", ERROR)
        .response(|response, request, _| edit_failed(response, request, |job| job["error"] = Value::Null)),
    fault("state.failed-retryable", "Every failure is marked as retryable.", ERROR)
        .response(|response, request, _| edit_failed(response, request, |job| job["error"]["retryable"] = json!(true))),
    fault("state.failed-with-article", "A failed job has an article_id.", ERROR).response(|response, request, _| {
        edit_failed(response, request, |job| job["article_id"] = job["job_id"].clone());
    }),
    fault("state.failed-not-finished", "A failed job is not done, so clients keep waiting.", ERROR).response(
        |response, request, _| {
            edit_failed(response, request, |job| (job["done"], job["finished_at"]) = (json!(false), Value::Null));
        },
    ),
    fault("state.failed-not-ready", "The article of a failed job gets article_not_ready.", ARTICLE).response(
        |response, _, _| {
            if response.code().as_deref() == Some("generation_failed") {
                *response = refusals::in_place_of(response, 404, "article_not_ready", "Article not ready");
                response.set("retry-after", "1");
            }
        },
    ),
    fault("state.failed-unknown", "The article of a failed job gets article_not_found.", ARTICLE).response(
        |response, _, _| {
            if response.code().as_deref() == Some("generation_failed") {
                *response = refusals::in_place_of(response, 404, "article_not_found", "Article not found");
            }
        },
    ),
    fault("state.failed-listed", "The list of articles contains the unfinished article of a failed job.", ARTICLE)
        .response(list_failed),
    fault("state.failed-cancels", "The server cancels a failed job.", CANCEL)
        .exchange(|exchange| cancels(exchange).boxed()),
    fault("state.failed-entry-open", "The scheduled post of a failed job stays generating.", ENTRY).response(
        |response, request, _| edit_failed_entries(response, request, |entry| entry["status"] = json!("generating")),
    ),
    fault("state.failed-entry-code", "The error of a failed job's scheduled post has the code publish_failed.", ENTRY)
        .response(|response, request, _| {
            edit_failed_entries(response, request, |entry| entry["error"]["code"] = json!("publish_failed"));
        }),
];

fn edit_failed(response: &mut Response, request: &Request, edit: impl FnOnce(&mut Value)) {
    edit_job(response, request, |job| {
        if job["status"] == "failed" {
            edit(job);
        }
    });
}

fn edit_failed_entries(response: &mut Response, request: &Request, edit: impl Fn(&mut Value)) {
    edit_entries(response, request, |entry| {
        if entry["status"] == "failed" {
            edit(entry);
        }
    });
}

fn list_failed(response: &mut Response, request: &Request, memory: &Memory) {
    let job = response.json().filter(|job| request.is(Operation::GetJob) && job["status"] == "failed");
    if let Some(job) = job.filter(|job| memory.is_first(job["job_id"].as_str().unwrap_or_default())) {
        append(memory, FAILED, job);
    }
    if request.is(Operation::ListArticles) {
        response.edit(|page| {
            let Some(rows) = page["items"].as_array_mut() else { return };
            for job in listed(memory, FAILED) {
                let template = rows.first().cloned().unwrap_or_else(|| json!({ "status": "draft" }));
                let mut row = template;
                for member in ["job_id", "website_id", "topic"] {
                    row[member] = job[member].clone();
                }
                row["id"] = job["job_id"].clone();
                rows.insert(0, row);
            }
        });
    }
}

async fn cancels(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    let is_refused =
        exchange.request.is(Operation::CancelJob) && response.code().as_deref() == Some("job_not_cancellable");
    let (Some(id), Some(key)) = (exchange.request.id().filter(|_| is_refused), exchange.request.key()) else {
        return response;
    };
    let path = format!("/api/v1/jobs/{}", crate::message::encode(&id));
    let mut job = exchange.send(Request::get(&path).with_key(key)).await;
    if job.text("/status").as_deref() != Some("failed") {
        return response;
    }
    job.edit(|job| (job["status"], job["error"]) = (json!("cancelled"), Value::Null));
    job
}
