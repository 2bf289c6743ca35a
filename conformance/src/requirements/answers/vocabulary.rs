//! Words of vocabularies that may grow.

use serde_json::Value;

use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::call_each_operation;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "answers.vocabulary.known",
            "A word of a vocabulary, such as a status, is one that the document names; others may be added.",
            "openapi.yaml, x-extensible-enum",
            call_each_operation,
        )
        .should()
        .observing(observe),
    ]
}

fn observe(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let schema = document.operation(exchange.request.operation?)?.answer_schema(exchange.status)?;
    let unknown = unknown_word(document.components(), document.schema(schema), exchange.json()?, "");
    Some(unknown.map_or(Ok(()), |(place, word)| {
        Err(Finding::new("a word of the document's vocabulary", format!("{word} at {place} in {}", exchange.line())))
    }))
}

/// The first word, with its place, that is none of the vocabulary which its schema names.
fn unknown_word(components: &Value, schema: &Value, value: &Value, place: &str) -> Option<(String, String)> {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return unknown_word(components, &components[name], value, place);
    }
    let words = schema["x-extensible-enum"].as_array();
    if words.is_some_and(|words| value.is_string() && !words.contains(value)) {
        return Some((place.to_owned(), value.to_string()));
    }
    let branches = schema["allOf"].as_array().into_iter().flatten();
    let mut found = branches.filter_map(|branch| unknown_word(components, branch, value, place));
    if let Some(found) = found.next() {
        return Some(found);
    }
    match value {
        Value::Object(members) => members.iter().find_map(|(name, member)| {
            unknown_word(components, schema["properties"].get(name)?, member, &format!("{place}/{name}"))
        }),
        Value::Array(items) => items.iter().enumerate().find_map(|(index, item)| {
            unknown_word(components, schema.get("items")?, item, &format!("{place}/{index}"))
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::unknown_word;

    #[test]
    fn a_word_is_looked_for_at_any_depth() {
        let components = json!({ "State": { "x-extensible-enum": ["on", "off"] } });
        let state = json!({ "allOf": [{ "$ref": "#/components/schemas/State" }] });
        let schema = json!({ "properties": { "items": { "items": { "properties": { "state": state } } } } });
        let unknown = |word: &str| {
            let body = json!({ "items": [{ "state": "on" }, { "state": word }] });
            unknown_word(&components, &schema, &body, "")
        };
        assert_eq!(unknown("off"), None);
        assert_eq!(unknown("low"), Some(("/items/1/state".to_owned(), "\"low\"".to_owned())));
    }
}
