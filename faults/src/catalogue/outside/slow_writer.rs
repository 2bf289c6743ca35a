//! A writer that takes seconds and does not notice that its job has ended.

use std::time::Duration;

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::super::state::records::edit_read_job;
use crate::edge::Exchange;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, parse_time, write_time};

/// Time that an article takes.
const WRITING: Duration = Duration::from_secs(2);
/// Time between queueing a job and filing its article: less than writing it twice would take.
const FILED: Duration = Duration::from_millis(3_500);

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "outside.cancelled-written-late",
        "The writer continues with a cancelled job and then creates its article.",
        &["jobs.cancel.no-article"],
    )
    .exchange(|exchange| written_late(exchange).boxed())
    .response(slow_writer),
    fault(
        "outside.writer-undoes-cancel",
        "The writer continues with a cancelled job and then completes it.",
        &["jobs.cancel.race-with-end"],
    )
    .response(|response, request, memory| {
        undo_cancel(response, request, memory);
        slow_writer(response, request, memory);
    }),
    fault(
        "outside.filing-touches-job",
        "Filing an article is slow and updates its job at the end.",
        &["jobs.terminal.stable"],
    )
    .response(|response, request, memory| {
        let is_filed = age(request, memory).is_some_and(|age| age >= FILED);
        edit_read_job(response, request, |job| {
            let finished = job["finished_at"].as_str().and_then(parse_time);
            if let Some(finished) = finished.filter(|_| is_filed && job["status"] == "completed") {
                job["finished_at"] = json!(write_time(finished + FILED));
            }
        });
        slow_writer(response, request, memory);
    }),
];

fn slot(job_id: &str) -> String {
    format!("queued: {job_id}")
}

/// Returns the age of the job that a request is about.
fn age(request: &Request, memory: &Memory) -> Option<Duration> {
    memory.age(&slot(&request.id()?))
}

/// Delays reads of a completed job until the writer's time has passed.
fn slow_writer(response: &mut Response, request: &Request, memory: &Memory) {
    let Some(body) = response.json().filter(|_| response.is_success()) else { return };
    let Some(job_id) = body.get("job_id").and_then(Value::as_str) else { return };
    if request.is(Operation::Generate) {
        memory.get_or_put(&slot(job_id), true);
    } else if request.is(Operation::GetJob) && body["status"] == "completed" {
        let age = memory.age(&slot(job_id)).unwrap_or(WRITING);
        response.delay = WRITING.saturating_sub(age);
    }
}

/// Returns an article for a cancelled job when the writer is done. Its content does not matter, so return the newest
/// one.
async fn written_late(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    let request = &exchange.request;
    let is_hidden = request.is(Operation::GetArticle) && response.code().as_deref() == Some("generation_cancelled");
    let is_written = age(request, &exchange.memory).is_some_and(|age| age >= WRITING);
    let Some(key) = request.key().filter(|_| is_hidden && is_written) else { return response };
    let page = exchange.send(Request::get("/api/v1/articles?limit=1").with_key(key)).await;
    let Some(id) = page.text("/items/0/id") else { return response };
    exchange.send(Request::get(&format!("/api/v1/articles/{id}")).with_key(key)).await
}

fn undo_cancel(response: &mut Response, request: &Request, memory: &Memory) {
    let is_written = age(request, memory).is_some_and(|age| age >= WRITING);
    edit_read_job(response, request, |job| {
        if is_written && job["status"] == "cancelled" {
            job["status"] = json!("completed");
            job["article_id"] = job["job_id"].clone();
        }
    });
}
