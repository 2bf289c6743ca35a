//! Statuses of operations.

use crate::check::Source::{Part, Sentence};
use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, finding, is_refused_before_routing};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "http.status.documented",
            "Every status of an operation is one that the document lists for it, one of a code of its default response, or 5xx.",
            &[
                Sentence(
                    "An operation sends only the statuses that it lists, those of its `default` response, and 5xx.",
                ),
                Sentence(
                    "The same holds if a gateway before the service responds 502, 503 or 504, 414 to a long address, or 431 to large headers.",
                ),
                Part("/paths/~1api~1v1~1jobs~1{job_id}/get/responses"),
                Part("/components/responses/OtherProblem/x-codes"),
            ],
            call_each_operation,
        )
        .observing(documented_status),
    ]
}

fn documented_status(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let operation = document.operation(exchange.request.operation?)?;
    if is_refused_before_routing(exchange) {
        return None;
    }
    let has_status = |code: &String| document.problems().get(code).is_some_and(|row| row.status == exchange.status);
    let is_of_default = operation.default_codes().iter().any(has_status);
    let holds = operation.names_status(exchange.status) || is_of_default || exchange.status >= 500;
    finding(holds, "a status that the document lists for the operation", exchange)
}
