//! Codes of problems and their statuses.

use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, finding, problem};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "problems.code.table",
            "code of a problem is one of the documented codes, and the HTTP status is that of the code.",
            "openapi.yaml, x-problem-codes",
            call_each_operation,
        )
        .observing(problem_code),
        Requirement::must(
            "problems.code.of-operation",
            "The code of a refusal is one that the document lists for the operation and the status.",
            "openapi.yaml, responses, x-codes",
            call_each_operation,
        )
        .observing(code_of_operation),
    ]
}

fn code_of_operation(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let codes = document.operation(exchange.request.operation?)?.answer_codes(exchange.status)?;
    // A code that the table does not know is told by the table.
    let code = problem(exchange)?["code"].as_str().filter(|code| document.problems().contains_key(*code))?;
    let holds = codes.iter().any(|listed| listed == code);
    finding(holds, &format!("one of the codes {}", codes.join(", ")), exchange)
}

fn problem_code(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let row = document.problems().get(body["code"].as_str().unwrap_or_default());
    finding(row.is_some_and(|row| row.status == exchange.status), "a code of the table with its status", exchange)
}
