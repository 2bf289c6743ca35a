//! `type` of a problem names its kind.

use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, finding, problem};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "problems.type.names-code",
            "type of a problem is the documented URI of its code, never about:blank.",
            "RFC 9457, section 3.1.1; openapi.yaml, x-problem-codes",
            call_each_operation,
        )
        .observing(type_uri),
    ]
}

/// Where the base of the URIs is another one, the code is still their end.
fn type_uri(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let code = body["code"].as_str()?;
    let row = document.problems().get(code)?;
    let uri = body["type"].as_str().unwrap_or_default();
    let is_row = row.type_uri.as_deref() == Some(uri);
    let is_own_base = uri.strip_suffix(code).is_some_and(|base| base.ends_with([':', '/', '#']));
    finding(is_row || is_own_base, &format!("a type that names {code}"), exchange)
}
