//! Errors are complete.

use crate::check::Source::Sentence;
use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, finding, problem};

/// Texts of every error.
const ALWAYS: [&str; 5] = ["type", "title", "detail", "code", "request_id"];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "problems.members.complete",
            "Every error of the API has type, title, status, detail, code and request_id, also for unknown paths. Only rate_limited has violated-policies.",
            &[
                Sentence("The service always sends `type`, `title`, `status`, `detail`, `code` and `request_id`."),
                Sentence("Only in `rate_limited`."),
            ],
            call_each_operation,
        )
        .observing(complete),
    ]
}

fn complete(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    if !body["violated-policies"].is_null() && body["code"] != "rate_limited" {
        return finding(false, "violated-policies only in rate_limited", exchange);
    }
    let is_text = |name: &str| body[name].as_str().is_some_and(|text| !text.trim().is_empty());
    let missing = ALWAYS.into_iter().find(|name| !is_text(name));
    let missing = missing.or_else(|| (!body["status"].is_number()).then_some("status"));
    finding(missing.is_none(), &format!("a problem with {}", missing.unwrap_or("every field")), exchange)
}
