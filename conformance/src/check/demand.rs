//! What is demanded of single exchanges: statuses, members, problems, field errors. What is wrong with an exchange names it.
//!
//! Steps that make exchanges live in `steps`.

use serde_json::Value;

use super::context::Context;
use super::difference;
use super::excerpt::excerpt;
use super::exchange::Exchange;
use super::verdict::{About, Halt, Verdict, ensure};
use crate::spec::Document;

/// Characters of a body and of a value that are shown.
const BODY: usize = 160;
const VALUE: usize = 120;
/// Longest values, in bytes, that anybody compares at a glance.
const COMPARED: usize = 40;

/// The status is exactly `expected`.
pub(crate) fn status(exchange: &Exchange, expected: u16) -> Verdict {
    ensure(exchange.status == expected, format!("status {expected}"), || seen(exchange)).about(exchange)
}

/// The status is 2xx.
pub(crate) fn success(exchange: &Exchange) -> Verdict {
    ensure(exchange.succeeded(), "a 2xx status", || seen(exchange)).about(exchange)
}

/// The status is not 2xx.
pub(crate) fn refusal(exchange: &Exchange) -> Verdict {
    ensure(!exchange.succeeded(), "a refusal, not a 2xx status", || seen(exchange)).about(exchange)
}

/// A problem with that status and one of those codes.
pub(crate) fn problem(exchange: &Exchange, expected: u16, codes: &[&str]) -> Verdict {
    let wanted = codes.join(" or ");
    let holds = exchange.status == expected && exchange.code().is_some_and(|code| codes.contains(&code));
    ensure(holds, format!("status {expected} with code {wanted}"), || seen(exchange)).about(exchange)
}

/// `validation_failed` with exactly one field error: this pointer and this code.
pub(crate) fn only_field_error(exchange: &Exchange, pointer: &str, code: &str) -> Verdict {
    problem(exchange, 422, &["validation_failed"])?;
    let errors = json(exchange)?["errors"].as_array().cloned().unwrap_or_default();
    let fits = errors.len() == 1 && errors[0]["pointer"] == pointer && errors[0]["code"] == code;
    ensure(fits, format!("exactly one entry in errors: pointer {pointer}, code {code}"), || {
        Value::Array(errors.clone()).to_string()
    })
    .about(exchange)
}

/// `validation_failed` that names the query parameter, with one of those codes.
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

/// The body as JSON.
pub(crate) fn json(exchange: &Exchange) -> Result<&Value, Halt> {
    exchange.json().ok_or_else(|| Halt::fail("a JSON body", seen(exchange)).about(exchange))
}

/// A text member that is there and not empty.
pub(crate) fn text<'value>(value: &'value Value, name: &str) -> Result<&'value str, Halt> {
    value[name].as_str().filter(|text| !text.is_empty()).ok_or_else(|| {
        Halt::fail(format!("a non-empty text in `{name}`"), format!("{}", value.get(name).unwrap_or(&Value::Null)))
    })
}

/// A header that is there.
pub(crate) fn header<'exchange>(exchange: &'exchange Exchange, name: &str) -> Result<&'exchange str, Halt> {
    exchange
        .header(name)
        .ok_or_else(|| Halt::fail(format!("a header {name}"), format!("none, in {}", exchange.line())).about(exchange))
}

/// The body keeps a component schema of the document.
pub(crate) fn schema(context: &Context, value: &Value, name: &str) -> Verdict {
    schema_of(context.document(), value, name)
}

/// The same where there is a document and no context.
pub(crate) fn schema_of(document: &Document, value: &Value, name: &str) -> Verdict {
    let violations = document.violations(name, value).map_err(|error| Halt::Error(error.to_string()))?;
    ensure(violations.is_empty(), format!("a body that keeps schema {name}"), || {
        violations
            .iter()
            .take(3)
            .map(|violated| format!("{} {}", violated.pointer, violated.message))
            .collect::<Vec<_>>()
            .join("; ")
    })
}

/// Two values are equal.
pub(crate) fn same(what: &str, expected: &Value, observed: &Value) -> Verdict {
    ensure(expected == observed, format!("{what} to be {}", brief(expected)), || instead(expected, observed))
}

/// What was seen where `expected` should be; of long or unusual values the first difference is told.
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

/// Status, code and the beginning of the body, in one line.
pub(crate) fn seen(exchange: &Exchange) -> String {
    if exchange.body.is_empty() {
        format!("{} without a body", exchange.line())
    } else {
        format!("{}: {}", exchange.line(), beginning(&exchange.body))
    }
}

/// The beginning of a body.
pub(crate) fn beginning(body: &[u8]) -> String {
    excerpt(&String::from_utf8_lossy(body), BODY)
}

/// A value cut to a readable length.
pub(crate) fn brief(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= VALUE { text } else { excerpt(&text, VALUE - 3) }
}
