//! Every refusal is a problem.

use crate::check::{Exchange, Facts, Finding, Requirement, header_fields};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, finding, problem};

const PROBLEM: &str = "RFC 9457, section 3; openapi.yaml, Problem";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "problems.body.schema",
            "Every refusal of an operation is a Problem: it keeps the schema, and status equals the HTTP status.",
            PROBLEM,
            call_each_operation,
        )
        .observing(problem_schema),
        Requirement::must(
            "problems.body.media-type",
            "Problems are served as application/problem+json.",
            "RFC 9457, section 3",
            call_each_operation,
        )
        .observing(problem_media_type),
    ]
}

fn problem_schema(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let holds = document.accepts("Problem", body) && body["status"] == exchange.status && body["code"].is_string();
    finding(holds, "a Problem whose status is the HTTP status", exchange)
}

fn problem_media_type(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    problem(exchange)?;
    let media_type = exchange.header("content-type").unwrap_or_default();
    let holds = header_fields::is_media_type(media_type, "application/problem+json");
    finding(holds, "Content-Type: application/problem+json", exchange)
}
