//! `type` of an error names its kind.

use crate::check::Source::Sentence;
use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, finding, problem};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "problems.type.names-code",
            "The type of an error is the URI in the table of codes, or another URI that ends in the code. It is never about:blank.",
            &[
                Sentence("`x-problem-codes` lists the codes with their status, type and title."),
                Sentence("URI of the kind of problem."),
            ],
            call_each_operation,
        )
        .observing(type_uri),
    ]
}

/// Demands the URI of the table, or one with another base that ends in the code.
fn type_uri(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let code = body["code"].as_str()?;
    let row = document.problems().get(code)?;
    let uri = body["type"].as_str().unwrap_or_default();
    let is_row = row.type_uri.as_deref() == Some(uri);
    let is_own_base = uri.strip_suffix(code).is_some_and(|base| base.ends_with([':', '/', '#']));
    finding(is_row || is_own_base, &format!("a type that names {code}"), exchange)
}
