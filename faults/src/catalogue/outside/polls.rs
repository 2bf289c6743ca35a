//! Faults in long polls of jobs and in caching reads.

use std::time::Duration;

use futures::future::FutureExt;
use serde_json::Value;
use tokio::time::Instant;

use super::super::fault::{Fault, fault};
use super::super::state::records::refuse;
use super::super::state::waiting::{is_ended, keep_back, look, wait_of, without_wait};
use crate::edge::Exchange;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response};

/// Interval of a poll that ends at the start of the job.
const PAUSE: Duration = Duration::from_secs(1);
/// Time for which `article_not_ready` is cached.
const KEPT: Duration = Duration::from_secs(2);

pub(super) const FAULTS: &[Fault] = &[
    fault("outside.not-ready-kept", "The server caches article_not_ready for two seconds.", &["sequences.jobs.model"])
        .response(not_ready_kept),
    fault(
        "outside.poll-without-match",
        "A long poll ignores If-None-Match and responds at once.",
        &["jobs.long-poll.open-not-modified"],
    )
    .request(poll_without_match),
    fault(
        "outside.wait-ends-at-start",
        "A long poll responds as soon as the job starts.",
        &["jobs.long-poll.to-the-end"],
    )
    .exchange(|exchange| wait_ends_at_start(exchange).boxed()),
    fault(
        "outside.second-waiter-forgotten",
        "Of two long polls on a job, only the first learns of its end.",
        &["jobs.long-poll.every-poll"],
    )
    .exchange(|exchange| second_waiter_forgotten(exchange).boxed()),
];

fn not_ready_kept(response: &mut Response, request: &Request, memory: &Memory) {
    let Some(id) = request.id().filter(|_| request.is(Operation::GetArticle)) else { return };
    let slot = format!("not ready: {id}");
    let is_kept = memory.age(&slot).is_some_and(|age| age < KEPT);
    let code = response.code().unwrap_or_default();
    if code == "article_not_ready" && !is_kept {
        memory.put(&slot, true);
    }
    let is_other = matches!(response.status, 200 | 304) || code.starts_with("generation_");
    if is_kept && is_other {
        refuse(response, 404, "article_not_ready", "Article not ready");
        response.set("retry-after", "1");
    }
}

fn poll_without_match(request: &mut Request, _: &Memory) {
    if wait_of(request).is_some() && request.header("if-none-match").is_some() {
        *request = without_wait(request);
        request.remove("if-none-match");
    }
}

async fn wait_ends_at_start(exchange: Exchange) -> Response {
    let Some(wait) = wait_of(&exchange.request) else { return exchange.forward().await };
    look(&exchange, wait, PAUSE, |job: &Value| job["status"] != "queued").await
}

async fn second_waiter_forgotten(exchange: Exchange) -> Response {
    let waited = wait_of(&exchange.request).zip(exchange.request.id());
    let Some((wait, job_id)) = waited else { return exchange.forward().await };
    let mut look = without_wait(&exchange.request);
    look.remove("if-none-match");
    if is_ended(&exchange.send(look).await) {
        return exchange.forward().await;
    }
    let begun = Instant::now();
    let slot = format!("waited for: {job_id}");
    let is_first = exchange.memory.put(&slot, true).is_none();
    let mut response = exchange.forward().await;
    if is_first {
        exchange.memory.take(&slot);
    } else {
        keep_back(&mut response, wait, begun);
    }
    response
}
