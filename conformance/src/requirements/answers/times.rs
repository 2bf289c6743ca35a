//! How times are written, in every answer.

use serde_json::Value;

use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::call_each_operation;

/// Members whose contents are the caller's or another standard's.
const NOT_OURS: [&str; 4] = ["metadata", "fields", "utm", "json_ld"];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "answers.times.utc",
            "Times are RFC 3339 in UTC, written with Z and milliseconds.",
            "openapi.yaml, info.description, Conventions",
            call_each_operation,
        )
        .observing(observe),
    ]
}

fn observe(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    exchange.request.operation?;
    let body = exchange.json().filter(|_| exchange.succeeded())?;
    let mut times = Vec::new();
    collect(body, &mut times);
    let wrong = times.iter().find(|(_, text)| !is_time(text));
    let finding = wrong.map_or(Ok(()), |(member, text)| {
        Err(Finding::new("times like 2026-11-02T08:00:00.000Z", format!("{member} {text} in {}", exchange.line())))
    });
    (!times.is_empty()).then_some(finding)
}

/// The texts of all members whose name ends like a time's.
fn collect<'body>(value: &'body Value, times: &mut Vec<(&'body str, &'body str)>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, times)),
        Value::Object(members) => {
            for (name, member) in members.iter().filter(|(name, _)| !NOT_OURS.contains(&name.as_str())) {
                match member.as_str() {
                    Some(text) if name.ends_with("_at") => times.push((name, text)),
                    _ => collect(member, times),
                }
            }
        }
        _ => {}
    }
}

/// `YYYY-MM-DDThh:mm:ss.sssZ`.
fn is_time(text: &str) -> bool {
    text.len() == 24
        && text.ends_with('Z')
        && text.as_bytes()[19] == b'.'
        && chrono::DateTime::parse_from_rfc3339(text).is_ok()
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
