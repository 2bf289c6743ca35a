//! Reads parts of the document's JSON.

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

/// Prefix of references to named schemas.
pub(super) const SCHEMAS: &str = "#/components/schemas/";

/// Returns the target of a reference in the document `root`, or the value itself.
pub(super) fn target<'a>(root: &'a Value, value: &'a Value) -> Result<&'a Value> {
    let Some(reference) = value.get("$ref").and_then(Value::as_str) else { return Ok(value) };
    let found = reference.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
    found.with_context(|| format!("the document refers to {reference:?}, which is not in it"))
}

/// The members of an object, by name.
pub(super) fn properties(schema: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let members = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    members.map(|(name, member)| (name.as_str(), member))
}

/// A text member of a value.
pub(super) fn text<'a>(value: &'a Value, member: &str) -> Option<&'a str> {
    value.get(member)?.as_str()
}

/// The texts of a list that is a member of a value.
pub(super) fn texts<'a>(value: &'a Value, member: &str) -> impl Iterator<Item = &'a str> {
    value.get(member).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Returns true if a member of a value is `true`.
pub(super) fn is_marked(value: &Value, member: &str) -> bool {
    value.get(member) == Some(&Value::Bool(true))
}

/// Returns true if a schema is an object with arbitrary names.
pub(super) fn is_map(schema: &Value) -> bool {
    text(schema, "type") == Some("object") && properties(schema).next().is_none()
}

/// The schema behind a reference, or behind an `allOf` of one, which is how 3.0 documents describe a reference.
pub(super) fn single_reference(schema: &Value) -> Option<&str> {
    fn direct(schema: &Value) -> Option<&str> {
        text(schema, "$ref")?.strip_prefix(SCHEMAS)
    }
    direct(schema).or_else(|| match schema.get("allOf")?.as_array()?.as_slice() {
        [only] => direct(only),
        _ => None,
    })
}

/// The only media type of a body, if it has one: the schema must have a name, and the type must be JSON.
pub(super) fn json_body<'a>(holder: &'a Value, what: &str) -> Result<Option<(&'a str, &'a Value)>> {
    let Some(content) = holder.get("content").and_then(Value::as_object) else { return Ok(None) };
    let mut types = content.iter();
    let (Some((name, media)), None) = (types.next(), types.next()) else {
        bail!("{what} has several media types; the client supports one")
    };
    if !is_json(name) {
        bail!("{what} is {name:?}; the client supports only JSON");
    }
    let Some(schema) = media.get("schema") else {
        bail!("{what} is JSON without a schema; name one, or leave the content out");
    };
    let Some(schema) = single_reference(schema) else {
        bail!("{what} has an inline schema; move it to `components/schemas`");
    };
    Ok(Some((schema, media)))
}

/// All references below a value.
pub(super) fn references(value: &Value) -> Vec<&str> {
    match value {
        Value::Object(members) => {
            let own = members.get("$ref").and_then(Value::as_str);
            own.into_iter().chain(members.values().flat_map(references)).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

/// Returns true if a media type is JSON, or a kind of it.
pub(super) fn is_json(media_type: &str) -> bool {
    media_type.contains("json")
}
