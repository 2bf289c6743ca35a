//! Values in every response: the format of times and the words of open vocabularies.

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::call_each_operation;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "answers.times.utc",
            "Times in fields of the document are RFC 3339 in UTC, with Z and milliseconds.",
            &[Sentence(
                "Times in responses are RFC 3339 in UTC with milliseconds and `Z`, as in `2026-11-02T08:00:00.000Z`.",
            )],
            call_each_operation,
        )
        .observing(times_in_utc),
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
        .observing(known_words),
    ]
}

fn times_in_utc(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let schema = document.operation(exchange.request.operation?)?.answer_schema(exchange.status)?;
    let body = exchange.json().filter(|_| exchange.succeeded())?;
    let (mut has_times, mut wrong) = (false, None);
    document.visit(schema, body, &mut |place, described, value| {
        let Some(text) = value.as_str().filter(|_| described["format"] == "date-time") else { return };
        has_times = true;
        if !is_time(text) {
            wrong.get_or_insert_with(|| format!("{text} at {place} in {}", exchange.line()));
        }
    });
    let finding = wrong.map_or(Ok(()), |seen| Err(Finding::new("times like 2026-11-02T08:00:00.000Z", seen)));
    has_times.then_some(finding)
}

/// Returns true for `YYYY-MM-DDThh:mm:ss.sssZ`.
fn is_time(text: &str) -> bool {
    text.len() == 24
        && text.ends_with('Z')
        && text.as_bytes()[19] == b'.'
        && chrono::DateTime::parse_from_rfc3339(text).is_ok()
}

fn known_words(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let schema = document.operation(exchange.request.operation?)?.answer_schema(exchange.status)?;
    let mut unknown = None;
    document.visit(schema, exchange.json()?, &mut |place, described, value| {
        let words = described.get("x-extensible-enum").filter(|_| value.is_string()).and_then(Value::as_array);
        if words.is_some_and(|words| !words.contains(value)) {
            unknown.get_or_insert_with(|| format!("{value} at {place} in {}", exchange.line()));
        }
    });
    Some(unknown.map_or(Ok(()), |seen| Err(Finding::new("a value of the document's vocabulary", seen))))
}

#[cfg(test)]
mod tests {
    #[test]
    fn only_utc_with_milliseconds_is_a_time() {
        assert!(super::is_time("2026-11-02T08:00:00.000Z"));
        for text in
            ["2026-11-02T08:00:00Z", "2026-11-02T08:00:00.000000Z", "2026-11-02T09:00:00.000+01:00", "yesterday"]
        {
            assert!(!super::is_time(text), "{text}");
        }
    }
}
