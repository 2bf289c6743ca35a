//! Faults in cancelling jobs.

use futures::future::FutureExt;
use serde_json::json;

use super::super::fault::{Fault, fault};
use super::records::{edit_entries, edit_job, refuse};
use crate::clock;
use crate::edge::Exchange;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, write_time};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "state.cancel-only-said",
        "A cancel returns cancelled but does not change the job.",
        &["jobs.cancel.ends", "jobs.cancel.no-article"],
    )
    .exchange(|exchange| cancel_only_said(exchange).boxed()),
    fault(
        "state.cancel-keeps-post",
        "The scheduled post of a cancelled job stays queued.",
        &["jobs.cancel.no-article"],
    )
    .response(|response, request, _| {
        edit_entries(response, request, |entry| {
            if entry["status"] == "cancelled" {
                entry["status"] = json!("queued");
            }
        });
    }),
    fault("state.cancel-completed", "Cancelling a completed job gets 200.", &["jobs.cancel.finished-refused"])
        .exchange(|exchange| cancel_completed(exchange).boxed()),
    fault("state.cancel-is-404", "Cancelling a completed job gets 404.", &["jobs.cancel.finished-refused"]).response(
        |response, request, _| {
            if request.is(Operation::CancelJob) && response.status == 409 {
                refuse(response, 404, "job_not_found", "Job not found");
            }
        },
    ),
    fault("state.cancel-once", "Cancelling a cancelled job gets 409.", &["jobs.cancel.idempotent"]).response(
        |response, request, memory| {
            if is_cancelled_again(response, request, memory) {
                refuse(response, 409, "job_not_cancellable", "Job not cancellable");
            }
        },
    ),
    fault("state.cancel-restamps", "Cancelling a cancelled job changes its finished_at.", &["jobs.cancel.idempotent"])
        .response(cancel_restamps),
    fault(
        "state.cancel-needs-json",
        "The server refuses a cancel whose body is not JSON.",
        &["jobs.cancel.body-ignored"],
    )
    .exchange(|exchange| cancel_needs_json(exchange).boxed()),
];

/// Returns true for a response to another cancel of a job that an earlier one cancelled.
pub(in crate::catalogue) fn is_cancelled_again(response: &Response, request: &Request, memory: &Memory) -> bool {
    let cancelled = request.id().filter(|_| request.is(Operation::CancelJob) && response.is_success());
    cancelled.is_some_and(|job_id| !memory.is_first(&format!("cancelled: {job_id}")))
}

/// Returns a request for the job of a cancel.
fn read_of(cancel: &Request) -> Request {
    let path = cancel.path.trim_end_matches("/cancel");
    let mut read = Request { headers: cancel.headers.clone(), ..Request::get(path) };
    for name in ["content-type", "content-length"] {
        read.remove(name);
    }
    read
}

/// Returns a job, read separately, as the response to a cancel.
fn as_cancelled(mut read: Response) -> Response {
    for name in ["etag", "retry-after"] {
        read.remove(name);
    }
    read.set("cache-control", "no-store");
    read
}

async fn cancel_only_said(exchange: Exchange) -> Response {
    if !exchange.request.is(Operation::CancelJob) {
        return exchange.forward().await;
    }
    let mut read = exchange.send(read_of(&exchange.request)).await;
    let is_open = read.is_success() && read.json().is_some_and(|job| job["done"] == false);
    if !is_open {
        return exchange.forward().await;
    }
    read.edit(|job| {
        job["status"] = json!("cancelled");
        job["done"] = json!(true);
        job["finished_at"] = json!(write_time(clock::now()));
    });
    as_cancelled(read)
}

async fn cancel_completed(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    if !exchange.request.is(Operation::CancelJob) || response.status != 409 {
        return response;
    }
    let read = exchange.send(read_of(&exchange.request)).await;
    let is_completed = read.text("/status").is_some_and(|status| status == "completed");
    if read.is_success() && is_completed { as_cancelled(read) } else { response }
}

fn cancel_restamps(response: &mut Response, request: &Request, memory: &Memory) {
    if is_cancelled_again(response, request, memory) {
        let stamp = write_time(clock::now());
        memory.put(&stamp_of(&request.id().unwrap_or_default()), stamp);
    }
    if let Some(stamp) = memory.get(&stamp_of(&request.id().unwrap_or_default())) {
        edit_job(response, request, |job| job["finished_at"] = stamp);
    }
}

fn stamp_of(job_id: &str) -> String {
    format!("finished_at: {job_id}")
}

async fn cancel_needs_json(exchange: Exchange) -> Response {
    let request = &exchange.request;
    let media_type = request.header("content-type").and_then(|text| text.split(';').next()).unwrap_or_default();
    let is_json = request.body.is_empty() || media_type.trim().eq_ignore_ascii_case("application/json");
    if !request.is(Operation::CancelJob) || is_json {
        return exchange.forward().await;
    }
    // The server checks the API scope first.
    let mut response = exchange.send(read_of(request)).await;
    if response.is_success() {
        refuse(&mut response, 415, "unsupported_media_type", "Unsupported media type");
    }
    response
}
