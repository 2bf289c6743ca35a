//! Reading an article: by which id, and what is answered while there is none.

use std::time::Duration;

use serde_json::json;

use super::super::fault::{Fault, fault};
use super::records::{is_read, refuse};
use crate::memory::Memory;
use crate::message::{Operation, Request, Response};

/// How far the replica of the articles lags behind.
const LAG: Duration = Duration::from_secs(1);

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "state.article-late",
        "Articles are read from a replica that lags by a second.",
        &["articles.fetch.completed"],
    )
    .response(article_late),
    fault(
        "state.by-article-id-only",
        "A job's id is not understood where an article's is expected.",
        &["articles.by-job-id.same"],
    )
    .response(|response, request, _| {
        let is_of_job = matches!(response.status, 200 | 304) && named_by_other_id(response, request);
        if request.is(Operation::GetArticle) && (is_of_job || tells_state(response)) {
            refuse(response, 404, "article_not_found", "Article not found");
        }
    }),
    fault(
        "state.no-content-location",
        "An article under its job's id has no Content-Location.",
        &["articles.by-job-id.same"],
    )
    .response(|response, request, _| {
        if request.is(Operation::GetArticle) {
            response.remove("content-location");
        }
    }),
    fault(
        "state.content-location-job",
        "Content-Location repeats the address that was asked for.",
        &["articles.by-job-id.same"],
    )
    .response(|response, request, _| {
        if request.is(Operation::GetArticle) {
            response.change("content-location", |_| request.public_path());
        }
    }),
    fault(
        "state.not-ready-stub",
        "An article that is not ready is 200 with its status alone.",
        &["articles.fetch.not-before"],
    )
    .response(|response, request, _| {
        if is_not_ready(response, request) {
            response.status = 200;
            response.remove("retry-after");
            response.set_body("application/json", json!({ "status": "pending" }).to_string());
        }
    }),
    fault(
        "state.not-ready-unknown",
        "An article that is not ready is article_not_found.",
        &["articles.not-ready.retry"],
    )
    .response(|response, request, _| {
        if is_not_ready(response, request) {
            refuse(response, 404, "article_not_found", "Article not found");
        }
    }),
    fault("state.not-ready-no-retry", "article_not_ready has no Retry-After.", &["articles.not-ready.retry"]).response(
        |response, request, _| {
            if is_not_ready(response, request) {
                response.remove("retry-after");
            }
        },
    ),
    fault(
        "state.cancelled-not-ready",
        "The article of a cancelled job is said to be not ready yet.",
        &["jobs.cancel.no-article"],
    )
    .response(|response, request, _| {
        let is_cancelled = response.code().is_some_and(|code| code == "generation_cancelled");
        if request.is(Operation::GetArticle) && is_cancelled {
            refuse(response, 404, "article_not_ready", "Article not ready");
            response.set("retry-after", "1");
        }
    }),
];

fn is_not_ready(response: &Response, request: &Request) -> bool {
    request.is(Operation::GetArticle) && response.code().is_some_and(|code| code == "article_not_ready")
}

/// Whether a refusal tells in which state a job is.
fn tells_state(response: &Response) -> bool {
    let code = response.code().unwrap_or_default();
    matches!(code.as_str(), "article_not_ready" | "generation_failed" | "generation_cancelled")
}

/// Whether the article has another id than the one it was read by. `HEAD` and a 304 show it in `Content-Location` alone.
fn named_by_other_id(response: &Response, request: &Request) -> bool {
    match response.text("/id") {
        Some(id) => request.id().is_some_and(|named| named != id),
        None => response.header("content-location").is_some_and(|location| !location.ends_with(&request.path)),
    }
}

fn article_late(response: &mut Response, request: &Request, memory: &Memory) {
    let slot = |id: &str| format!("completed: {id}");
    if is_read(response, request, Operation::GetJob) {
        for id in ["/job_id", "/article_id"].into_iter().filter_map(|member| response.text(member)) {
            if response.text("/status").is_some_and(|status| status == "completed") {
                memory.is_first(&slot(&id));
            }
        }
    }
    let completed = request.id().and_then(|id| memory.age(&slot(&id)));
    let is_behind = completed.is_some_and(|age| age < LAG);
    if is_behind && is_read(response, request, Operation::GetArticle) {
        refuse(response, 404, "article_not_found", "Article not found");
    }
}
