//! Checks of single exchanges: statuses, fields, problems, field errors. Each finding names its exchange.

use serde_json::Value;

use super::context::Context;
use super::difference::{self, excerpt};
use super::exchange::Exchange;
use super::verdict::{About, Halt, Verdict, ensure};
use crate::spec::Document;

/// Maximum number of characters of a body and of a value that are shown.
const BODY: usize = 160;
const VALUE: usize = 120;
/// Maximum length in bytes of values that a reader compares at a glance.
const COMPARED: usize = 40;

/// Checks that the status is exactly `expected`.
#[track_caller]
pub(crate) fn status(exchange: &Exchange, expected: u16) -> Verdict {
    ensure(exchange.status == expected, format!("status {expected}"), || seen(exchange)).about(exchange)
}

/// Checks that the status is 2xx.
#[track_caller]
pub(crate) fn success(exchange: &Exchange) -> Verdict {
    ensure(exchange.succeeded(), "a 2xx status", || seen(exchange)).about(exchange)
}

/// Checks that the status is not 2xx.
#[track_caller]
pub(crate) fn refusal(exchange: &Exchange) -> Verdict {
    ensure(!exchange.succeeded(), "a refusal, not a 2xx status", || seen(exchange)).about(exchange)
}

/// Checks that the response is a problem with that status and one of those codes.
#[track_caller]
pub(crate) fn problem(exchange: &Exchange, expected: u16, codes: &[&str]) -> Verdict {
    let wanted = codes.join(" or ");
    let holds = exchange.status == expected && exchange.code().is_some_and(|code| codes.contains(&code));
    ensure(holds, format!("status {expected} with code {wanted}"), || seen(exchange)).about(exchange)
}

/// Checks for `validation_failed` with errors of this field only, at most one for each code, one of them with this code.
#[track_caller]
pub(crate) fn only_field_error(exchange: &Exchange, pointer: &str, code: &str) -> Verdict {
    problem(exchange, 422, &["validation_failed"])?;
    let errors = json(exchange)?["errors"].as_array().cloned().unwrap_or_default();
    let codes: Vec<&Value> = errors.iter().map(|error| &error["code"]).collect();
    let are_distinct = codes.iter().enumerate().all(|(at, code)| !codes[..at].contains(code));
    let fits = codes.iter().any(|found| **found == *code) && errors.iter().all(|error| error["pointer"] == pointer);
    let expected = format!("only errors with pointer {pointer}, exactly one of them with code {code}");
    ensure(fits && are_distinct, expected, || Value::Array(errors.clone()).to_string()).about(exchange)
}

/// Checks for `validation_failed` that names the query parameter, with one of those codes.
#[track_caller]
pub(crate) fn parameter_error(exchange: &Exchange, parameter: &str, codes: &[&str]) -> Verdict {
    problem(exchange, 422, &["validation_failed"])?;
    let errors = json(exchange)?["errors"].as_array().cloned().unwrap_or_default();
    let fits = errors.iter().any(|error| {
        error["parameter"] == parameter && error["code"].as_str().is_some_and(|code| codes.contains(&code))
    });
    ensure(fits, format!("an entry in errors: parameter {parameter}, code {}", codes.join(" or ")), || {
        Value::Array(errors.clone()).to_string()
    })
    .about(exchange)
}

/// Returns the body as JSON.
#[track_caller]
pub(crate) fn json(exchange: &Exchange) -> Result<&Value, Halt> {
    match exchange.json() {
        Some(body) => Ok(body),
        None => Err(Halt::fail("a JSON body", seen(exchange)).about(exchange)),
    }
}

/// Returns a text field that is present and not empty.
#[track_caller]
pub(crate) fn text<'value>(value: &'value Value, name: &str) -> Result<&'value str, Halt> {
    match value[name].as_str() {
        Some(text) if !text.is_empty() => Ok(text),
        _ => Err(Halt::fail(format!("a non-empty text in `{name}`"), value[name].to_string())),
    }
}

/// Returns a header that must be present.
#[track_caller]
pub(crate) fn header<'exchange>(exchange: &'exchange Exchange, name: &str) -> Result<&'exchange str, Halt> {
    match exchange.header(name) {
        Some(value) => Ok(value),
        None => Err(Halt::fail(format!("a header {name}"), format!("none, in {}", exchange.line())).about(exchange)),
    }
}

/// Checks the value against a component schema of the document.
#[track_caller]
pub(crate) fn schema(context: &Context, value: &Value, name: &str) -> Verdict {
    schema_of(context.document(), value, name)
}

/// Checks the value against a component schema of `document`.
#[track_caller]
pub(crate) fn schema_of(document: &Document, value: &Value, name: &str) -> Verdict {
    let violations = document.response_violations(name, value).map_err(|error| Halt::Error(error.to_string()))?;
    ensure(violations.is_empty(), format!("a body that keeps schema {name}"), || {
        violations
            .iter()
            .take(3)
            .map(|violated| format!("{} {}", violated.pointer, violated.message))
            .collect::<Vec<_>>()
            .join("; ")
    })
}

/// Checks that two values are equal.
#[track_caller]
pub(crate) fn same(what: &str, expected: &Value, observed: &Value) -> Verdict {
    ensure(expected == observed, format!("{what} to be {}", brief(expected)), || instead(expected, observed))
}

/// Describes a value that differs from `expected`. For long or unusual values it shows the first difference.
pub(crate) fn instead(expected: &Value, observed: &Value) -> String {
    let is_plain = |value: &Value| {
        let text = value.to_string();
        text.len() <= COMPARED && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
    };
    let told = difference::of_values(expected, observed);
    match told.filter(|_| !(is_plain(expected) && is_plain(observed))) {
        Some(told) => format!("{}, which differs {told}", brief(observed)),
        None => brief(observed),
    }
}

/// Returns status, code and the beginning of the body, in one line.
pub(crate) fn seen(exchange: &Exchange) -> String {
    if exchange.body.is_empty() {
        format!("{} without a body", exchange.line())
    } else {
        format!("{}: {}", exchange.line(), beginning(&exchange.body))
    }
}

/// Returns the beginning of a body.
pub(crate) fn beginning(body: &[u8]) -> String {
    excerpt(&String::from_utf8_lossy(body), BODY)
}

/// Returns a value cut to a readable length.
pub(crate) fn brief(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= VALUE { text } else { excerpt(&text, VALUE - 3) }
}
