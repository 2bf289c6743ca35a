//! Faults in handling a generation request before its response.

use std::time::Duration;

use futures::future::FutureExt;
use serde_json::json;

use super::super::fault::{Fault, fault};
use super::super::refusals;
use crate::clock;
use crate::edge::Exchange;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, write_time};

/// Number and length of the pauses between checks of a job, and the writer's minimum time.
const LOOKS: usize = 200;
const LOOK: Duration = Duration::from_millis(50);
const WRITING: Duration = Duration::from_millis(900);

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "http.synchronous",
        "POST /generate responds only after the article is written.",
        &["generate.documented.afterwards"],
    )
    .exchange(|exchange| synchronous(exchange).boxed())
    .response(show_as_finished_then),
    fault("http.scripts-break", "A topic in a non-European script causes a 500.", &["generate.documented.no-failure"])
        .exchange(|exchange| scripts_break(exchange).boxed()),
];

async fn synchronous(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    let job_id = response.text("/job_id").filter(|_| exchange.request.is(Operation::Generate));
    if let (Some(job_id), Some(key)) = (job_id.filter(|_| response.is_success()), exchange.request.key()) {
        tokio::time::sleep(WRITING).await;
        for _ in 0..LOOKS {
            let job = exchange.send(Request::get(&format!("/api/v1/jobs/{job_id}")).with_key(key)).await;
            if job.json().is_none_or(|job| job["done"] != false) {
                break;
            }
            tokio::time::sleep(LOOK).await;
        }
        exchange.memory.put(&job_id, write_time(clock::now()));
    }
    response
}

/// Shows jobs as finished once the request that queued them has its response.
fn show_as_finished_then(response: &mut Response, request: &Request, memory: &Memory) {
    let is_job = request.is(Operation::GetJob) && response.is_success();
    let finished = request.id().filter(|_| is_job).and_then(|job_id| memory.text(&job_id));
    if let Some(finished) = finished {
        response.edit(|job| {
            if job["finished_at"].is_string() {
                job["finished_at"] = json!(finished);
            }
        });
    }
}

/// Letters after the European scripts.
async fn scripts_break(exchange: Exchange) -> Response {
    let body = exchange.request.json().filter(|_| exchange.request.is(Operation::Generate)).unwrap_or_default();
    let is_other = |letter: char| (0x590..0xFFFF).contains(&u32::from(letter)) && letter.is_alphabetic();
    let key = exchange.request.key();
    let is_let_in = key.is_some_and(|key| exchange.memory.world.keys().iter().any(|known| known == key));
    if is_let_in && body["topic"].as_str().unwrap_or_default().contains(is_other) {
        return refusals::refuse(&exchange, 500, "internal_error", "Internal error").await;
    }
    exchange.forward().await
}
