//! Codes of problems and their statuses.

use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, finding, problem};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "problems.code.table",
            "code stands in the closed table, with the status of its row.",
            "openapi.yaml, x-problem-codes",
            call_each_operation,
        )
        .observing(problem_code),
    ]
}

fn problem_code(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let row = document.problems().get(body["code"].as_str().unwrap_or_default());
    finding(row.is_some_and(|row| row.status == exchange.status), "a code of the table with its status", exchange)
}
