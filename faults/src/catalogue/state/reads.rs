//! Faults in reading an article: by either id, and before it exists.

use std::time::Duration;

use serde_json::json;

use super::super::fault::{Fault, fault};
use super::records::{is_read, refuse};
use crate::memory::Memory;
use crate::message::{Operation, Request, Response};

/// Replication lag of articles.
const LAG: Duration = Duration::from_secs(1);

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "state.article-late",
        "Articles are read from a replica that lags by a second.",
        &["articles.fetch.completed"],
    )
    .response(article_late),
    fault("state.by-article-id-only", "An article cannot be read by the id of its job.", &["articles.by-job-id.same"])
        .response(|response, request, _| {
            let is_of_job = matches!(response.status, 200 | 304) && named_by_other_id(response, request);
            if request.is(Operation::GetArticle) && (is_of_job || tells_state(response)) {
                refuse(response, 404, "article_not_found", "Article not found");
            }
        }),
    fault(
        "state.no-content-location",
        "An article that is read by the id of its job has no Content-Location.",
        &["articles.by-job-id.same"],
    )
    .response(|response, request, _| {
        if request.is(Operation::GetArticle) {
            response.remove("content-location");
        }
    }),
    fault(
        "state.content-location-job",
        "Content-Location repeats the requested address.",
        &["articles.by-job-id.same"],
    )
    .response(|response, request, _| {
        if request.is(Operation::GetArticle) {
            response.change("content-location", |_| request.public_path());
        }
    }),
    fault(
        "state.not-ready-stub",
        "An article that is not ready gets 200 with only its status.",
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
        "An article that is not ready gets article_not_found.",
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
        "The article of a cancelled job gets article_not_ready.",
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

/// Returns true if a refusal reveals the state of a job.
fn tells_state(response: &Response) -> bool {
    let code = response.code().unwrap_or_default();
    matches!(code.as_str(), "article_not_ready" | "generation_failed" | "generation_cancelled")
}

/// Returns true if the article was read by another id than its own. `HEAD` and a 304 show it only in
/// `Content-Location`.
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
