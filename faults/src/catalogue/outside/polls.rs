//! Long polls of jobs, and what is remembered of reads for too long.

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

/// How often a poll looks that ends at the start of the job.
const PAUSE: Duration = Duration::from_secs(1);
/// How long an article that is not ready is remembered so.
const KEPT: Duration = Duration::from_secs(2);

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "outside.not-ready-kept",
        "An article_not_ready is remembered for two seconds, whatever becomes of the job.",
        &["sequences.jobs.model"],
    )
    .response(not_ready_kept),
    fault(
        "outside.match-before-wait",
        "A long poll with a current tag answers 304 at once.",
        &["jobs.long-poll.open-not-modified"],
    )
    .exchange(|exchange| match_before_wait(exchange).boxed()),
    fault(
        "outside.wait-ends-at-start",
        "A long poll answers as soon as the job is begun.",
        &["jobs.long-poll.to-the-end"],
    )
    .exchange(|exchange| wait_ends_at_start(exchange).boxed()),
    fault(
        "outside.second-waiter-forgotten",
        "Of two long polls on a job only the first hears of its end.",
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

async fn match_before_wait(exchange: Exchange) -> Response {
    if wait_of(&exchange.request).is_none() || exchange.request.header("if-none-match").is_none() {
        return exchange.forward().await;
    }
    let response = exchange.send(without_wait(&exchange.request)).await;
    if response.status == 304 { response } else { exchange.forward().await }
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
