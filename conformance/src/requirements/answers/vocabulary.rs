//! Values of open vocabularies.

use crate::check::Source::Sentence;
use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::call_each_operation;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "answers.vocabulary.known",
            "A value of an open vocabulary, such as a status or the code of an error, is one that the document lists. A later document may add values.",
            &[
                Sentence("`x-extensible-enum`: the values known today."),
                Sentence("A server of this document should send only these."),
            ],
            call_each_operation,
        )
        .should()
        .observing(observe),
    ]
}

fn observe(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let schema = document.operation(exchange.request.operation?)?.answer_schema(exchange.status)?;
    let mut unknown = None;
    document.visit(schema, exchange.json()?, &mut |place, described, value| {
        let words = described["x-extensible-enum"].as_array();
        if words.is_some_and(|words| value.is_string() && !words.contains(value)) {
            unknown.get_or_insert_with(|| format!("{value} at {place} in {}", exchange.line()));
        }
    });
    Some(unknown.map_or(Ok(()), |seen| Err(Finding::new("a value of the document's vocabulary", seen))))
}
