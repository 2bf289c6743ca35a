//! The request id of a problem is that of its header.

use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, finding, problem};

const PROBLEM: &str = "RFC 9457, section 3; openapi.yaml, Problem";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "problems.request-id.same",
            "request_id of a problem equals the header X-Request-Id.",
            PROBLEM,
            call_each_operation,
        )
        .observing(problem_request_id),
    ]
}

fn problem_request_id(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let holds = exchange.header("x-request-id").is_some_and(|id| body["request_id"] == id);
    finding(holds, "request_id equal to X-Request-Id", exchange)
}
