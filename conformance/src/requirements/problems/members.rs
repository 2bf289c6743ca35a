//! Problems are complete.

use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, finding, problem};

/// What every problem has.
const ALWAYS: [&str; 5] = ["type", "title", "detail", "code", "request_id"];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "problems.members.complete",
            "A problem always has type, title, status, detail, code and request_id, even for paths that do not exist.",
            "openapi.yaml, Problem",
            call_each_operation,
        )
        .observing(complete),
    ]
}

fn complete(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let is_text = |name: &str| body[name].as_str().is_some_and(|text| !text.trim().is_empty());
    let missing = ALWAYS.into_iter().find(|name| !is_text(name));
    let missing = missing.or_else(|| (!body["status"].is_number()).then_some("status"));
    finding(missing.is_none(), &format!("a problem with {}", missing.unwrap_or("every member")), exchange)
}
