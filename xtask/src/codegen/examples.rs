//! What the document gives as examples of a call: the values of its parameters and of its body. They become the examples in the
//! documentation of the client, which are compiled.

use std::collections::BTreeMap;

use anyhow::Result;
use serde_json::{Map, Value};

use super::document::{for_each_operation, operation_name, reference};
use super::words::snake;

/// An example of calling an operation.
#[derive(Debug, Default)]
pub(super) struct Example {
    /// The setters that are called, with an argument as Rust code.
    pub(super) settings: Vec<(String, String)>,
    /// The schema of what is answered.
    pub(super) answer: Option<String>,
}

/// An example of each operation, by `operationId`.
pub(super) fn collect(document: &mut Value) -> Result<BTreeMap<String, Example>> {
    let mut examples = BTreeMap::new();
    for_each_operation(document, |path, method, operation| {
        let parameters = operation.get("parameters").and_then(Value::as_array).into_iter().flatten();
        let mut settings: Vec<_> = parameters.filter_map(of_parameter).collect();
        settings.extend(of_body(operation));
        examples.insert(operation_name(path, method, operation), Example { settings, answer: answer(operation) });
        Ok(())
    })?;
    Ok(examples)
}

/// The setting of a parameter that callers begin with: one that a call needs, or a filter by id.
fn of_parameter(parameter: &Value) -> Option<(String, String)> {
    let name = parameter.get("name")?.as_str()?;
    let is_required = parameter.get("required").and_then(Value::as_bool).unwrap_or_default();
    (is_required || name.ends_with("_id")).then_some(())?;
    Some((snake(name), literal(parameter.get("example")?)?))
}

/// The settings of the members that the first example of the body has.
fn of_body(operation: &Map<String, Value>) -> Vec<(String, String)> {
    let media = operation.get("requestBody").and_then(|body| body.get("content")?.as_object()?.values().next());
    let example = media.and_then(|media| media.get("examples")?.as_object()?.values().next()?.get("value"));
    let members = example.and_then(Value::as_object).into_iter().flatten();
    members.filter_map(|(name, value)| Some((snake(name), literal(value)?))).collect()
}

/// A value as Rust code.
fn literal(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(format!("{text:?}")),
        Value::Number(number) => Some(format!("{}_u32", number.as_u64()?)),
        _ => None,
    }
}

/// The schema of an operation's success.
fn answer(operation: &Map<String, Value>) -> Option<String> {
    let responses = operation.get("responses")?.as_object()?;
    let (_, success) = responses.iter().find(|(status, _)| status.starts_with('2'))?;
    let media = success.get("content")?.as_object()?.values().next()?;
    reference(media.get("schema")?).map(str::to_owned)
}
