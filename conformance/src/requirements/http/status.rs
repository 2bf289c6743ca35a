//! Statuses that the document does not know.

use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, finding};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "http.status.documented",
            "Every status of an operation is one that the API document names for it.",
            "openapi.yaml, responses",
            call_each_operation,
        )
        .observing(documented_status),
    ]
}

fn documented_status(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let operation = document.operation(exchange.request.operation?)?;
    let holds = operation.names_status(exchange.status) || exchange.status >= 500;
    finding(holds, "a status that the document names for the operation", exchange)
}
