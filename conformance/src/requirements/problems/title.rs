//! Titles of problems.

use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, finding, problem};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "problems.title.table",
            "title of a problem is the documented title of its code.",
            "RFC 9457, section 3.1.3; openapi.yaml, x-problem-codes",
            call_each_operation,
        )
        .should()
        .observing(problem_title),
    ]
}

fn problem_title(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let row = document.problems().get(body["code"].as_str().unwrap_or_default())?;
    finding(body["title"] == row.title.as_str(), "the title of the code's row in the table", exchange)
}
