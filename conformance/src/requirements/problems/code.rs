//! Codes of errors and their statuses.

use crate::check::Source::{Part, Sentence};
use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, finding, problem};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "problems.code.table",
            "The code of an error is in the table of codes, and the HTTP status is that of the code.",
            &[
                Sentence("`x-problem-codes` lists the codes with their status, type and title."),
                Sentence("`status` equals the HTTP status, and `x-problem-codes` has `code` with that status."),
                Sentence("A later document may add codes; a server of this document sends only these."),
            ],
            call_each_operation,
        )
        .observing(problem_code),
        Requirement::new(
            "problems.code.of-operation",
            "The code of an error is one that the document lists for the response, or for the default response of the operation.",
            &[
                Sentence("`x-codes` on a response: the codes that it may have."),
                Sentence(
                    "Another error, such as an unknown route, or a body that did not arrive in time although the operation ignores it.",
                ),
                Part("/components/responses/JobNotFound/x-codes"),
                Part("/components/responses/GenerateRefused/x-codes"),
            ],
            call_each_operation,
        )
        .observing(code_of_operation),
    ]
}

fn code_of_operation(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let operation = document.operation(exchange.request.operation?)?;
    let codes = [operation.answer_codes(exchange.status).unwrap_or_default(), operation.default_codes()].concat();
    // A gateway may send other errors of the service.
    let is_listed = operation.names_status(exchange.status);
    (!codes.is_empty() && (is_listed || exchange.status < 500)).then_some(())?;
    // `problems.code.table` finds codes that are not in the table.
    let code = problem(exchange)?["code"].as_str().filter(|code| document.problems().contains_key(*code))?;
    let holds = codes.iter().any(|listed| listed == code);
    finding(holds, &format!("one of the codes {}", codes.join(", ")), exchange)
}

fn problem_code(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let row = document.problems().get(body["code"].as_str().unwrap_or_default());
    finding(row.is_some_and(|row| row.status == exchange.status), "a code of the table, with its status", exchange)
}
