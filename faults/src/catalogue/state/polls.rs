//! Faults in long polls of jobs.

use std::time::Duration;

use futures::future::FutureExt;
use tokio::time::{Instant, sleep};

use super::super::fault::{Fault, fault};
use super::records::refuse;
use super::waiting::{is_ended, keep_back, wait_digits, wait_of, without_wait};
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

/// Interval of a slow poll.
const SELDOM: Duration = Duration::from_secs(6);

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "state.wait-looks-seldom",
        "A long poll checks the job only every six seconds.",
        &["jobs.long-poll.wakes", "jobs.long-poll.wakes-on-cancel"],
    )
    .exchange(|exchange| wait_looks_seldom(exchange).boxed()),
    fault(
        "state.cancel-wakes-nobody",
        "A long poll does not notice that a job was cancelled.",
        &["jobs.long-poll.wakes-on-cancel"],
    )
    .exchange(|exchange| cancel_wakes_nobody(exchange).boxed()),
    fault("state.wait-overflows", "The server refuses a wait of more than 64 bits.", &["jobs.long-poll.longest"])
        .exchange(|exchange| wait_overflows(exchange).boxed()),
    fault("state.wait-forgets-tag", "A long poll ignores If-None-Match.", &["jobs.long-poll.not-modified"]).request(
        |request, _| {
            if wait_of(request).is_some() {
                request.remove("if-none-match");
            }
        },
    ),
    fault("state.wait-ignored", "The server ignores Prefer: wait.", &["jobs.long-poll.to-the-end"]).request(
        |request, _| {
            if wait_of(request).is_some() {
                *request = without_wait(request);
            }
        },
    ),
    fault(
        "state.wait-to-the-end",
        "A long poll waits the whole time although the job is done.",
        &["jobs.long-poll.answers-in-time"],
    )
    .exchange(|exchange| wait_to_the_end(exchange).boxed()),
    fault("state.wait-millis", "The server reads Prefer: wait as milliseconds.", &["jobs.long-poll.to-the-end"])
        .exchange(|exchange| wait_millis(exchange).boxed()),
    fault("state.wait-refused", "The server refuses a malformed Prefer.", &["jobs.long-poll.malformed-ignored"])
        .response(|response, request, _| {
            let is_read = request.is(Operation::GetJob) && matches!(response.status, 200 | 304);
            if is_read && is_malformed(request) {
                refuse(response, 400, "invalid_header", "Invalid header");
            }
        }),
    fault("state.other-job", "A long poll returns the most recently queued job.", &["sequences.jobs.model"])
        .request(|request, memory| {
            let last = request.key().and_then(|key| memory.text(&last_of(key)));
            if let Some(last) = last.filter(|_| wait_of(request).is_some()) {
                request.set_id(&last);
            }
        })
        .response(|response, request, memory| {
            let is_queued = request.is(Operation::Generate) && response.is_success();
            if let (true, Some(key), Some(job_id)) = (is_queued, request.key(), response.text("/job_id")) {
                memory.put(&last_of(key), job_id);
            }
        }),
];

fn last_of(key: &str) -> String {
    format!("queued last: {key}")
}

/// Returns true if a preference is malformed or its wait is not a number of seconds.
fn is_malformed(request: &Request) -> bool {
    let lines = request.headers.get_all("prefer").iter();
    let mut names = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .map(|preference| preference.split(['=', ';']).next().unwrap_or_default().trim().to_owned());
    names.any(|name| name.is_empty() || name.eq_ignore_ascii_case("wait")) && wait_of(request).is_none()
}

async fn wait_looks_seldom(exchange: Exchange) -> Response {
    let Some(wait) = wait_of(&exchange.request) else { return exchange.forward().await };
    let mut look = without_wait(&exchange.request);
    look.remove("if-none-match");
    let begun = Instant::now();
    let is_open = !is_ended(&exchange.send(look).await);
    let mut response = exchange.forward().await;
    if is_open {
        let looks = begun.elapsed().as_secs() / SELDOM.as_secs() + 1;
        let seen = (SELDOM * u32::try_from(looks).unwrap_or(u32::MAX)).min(wait);
        response.delay = seen.saturating_sub(begun.elapsed());
    }
    response
}

async fn cancel_wakes_nobody(exchange: Exchange) -> Response {
    let begun = Instant::now();
    let mut response = exchange.forward().await;
    let is_cancelled = response.text("/status").is_some_and(|status| status == "cancelled");
    if let Some(wait) = wait_of(&exchange.request).filter(|_| response.is_success() && is_cancelled) {
        keep_back(&mut response, wait, begun);
    }
    response
}

async fn wait_overflows(exchange: Exchange) -> Response {
    let digits = wait_digits(&exchange.request);
    if digits.is_none_or(|digits| digits.parse::<u64>().is_ok()) {
        return exchange.forward().await;
    }
    let mut response = exchange.send(without_wait(&exchange.request)).await;
    if matches!(response.status, 200 | 304) {
        refuse(&mut response, 400, "invalid_header", "Invalid header");
    }
    response
}

async fn wait_to_the_end(exchange: Exchange) -> Response {
    let begun = Instant::now();
    let mut response = exchange.forward().await;
    if let Some(wait) = wait_of(&exchange.request).filter(|_| matches!(response.status, 200 | 304)) {
        keep_back(&mut response, wait, begun);
    }
    response
}

async fn wait_millis(exchange: Exchange) -> Response {
    let Some(wait) = wait_of(&exchange.request) else { return exchange.forward().await };
    let request = without_wait(&exchange.request);
    let response = exchange.send(request.clone()).await;
    if is_ended(&response) {
        return response;
    }
    sleep(wait / 1000).await;
    exchange.send(request).await
}
