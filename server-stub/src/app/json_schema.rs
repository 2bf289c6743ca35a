//! Compiles a schema of the OpenAPI document into a validator.

use jsonschema::{Draft, PatternOptions, ValidationOptions, Validator};
use serde_json::{Map, Value, json};

use super::length_keywords;
use crate::domain::clock::Timestamp;

/// Returns the target of a reference, or the value itself if it is not a reference.
pub(super) fn dereference<'a>(root: &'a Value, value: &'a Value) -> &'a Value {
    let Some(reference) = value.get("$ref").and_then(Value::as_str) else { return value };
    root.pointer(reference.trim_start_matches('#')).expect("a reference in the document leads somewhere")
}

/// Converts an OpenAPI 3.0 schema to JSON Schema Draft 4: inlines references and turns `nullable` into a list of types. Request
/// schemas are small and not recursive.
pub(super) fn to_draft4(root: &Value, schema: &Value, depth: usize) -> Value {
    assert!(depth < 32, "a request schema refers to itself");
    match dereference(root, schema) {
        Value::Object(members) => {
            let kept = members.iter().filter(|(name, _)| !matches!(name.as_str(), "example" | "nullable"));
            let mut schema: Map<_, _> =
                kept.map(|(name, member)| (name.clone(), to_draft4(root, member, depth + 1))).collect();
            if members.get("nullable") == Some(&Value::Bool(true)) {
                let kind = schema.remove("type").unwrap_or(Value::Null);
                schema.insert("type".to_owned(), json!([kind, "null"]));
            }
            Value::Object(schema)
        }
        Value::Array(items) => items.iter().map(|item| to_draft4(root, item, depth + 1)).collect(),
        plain => plain.clone(),
    }
}

/// Compiles a schema into a validator.
pub(super) fn validator(schema: &Value) -> Validator {
    options().build(schema).expect("the document's request schemas compile, which every test of this crate needs")
}

/// Returns the options for compiling schemas.
pub(super) fn options() -> ValidationOptions<'static> {
    let options = jsonschema::options()
        .with_draft(Draft::Draft4)
        .should_validate_formats(true)
        // This engine runs in time linear in the text, for any pattern.
        .with_pattern_options(PatternOptions::regex())
        .with_format("date-time", is_date_time);
    length_keywords::add_to(options)
}

/// Returns true if the text is an RFC 3339 time with a zone that the server can represent.
fn is_date_time(text: &str) -> bool {
    matches!(text.as_bytes().get(10), Some(b'T' | b't')) && Timestamp::parse(text).is_some()
}
