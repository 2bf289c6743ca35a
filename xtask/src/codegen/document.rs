//! Reading the document into JSON, and walking it. No rule about what the generator can take lives here.

use anyhow::{Context as _, Result};
use serde_json::{Map, Value};

/// The HTTP methods that a path item may have.
const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// Parses the YAML (or JSON) text of a document. Its members are sorted: whether `serde_json` keeps their order depends on what else is
/// built, and what is generated must not.
pub(super) fn parse(text: &str) -> Result<Value> {
    let mut document: Value = serde_saphyr::from_str(text).context("the document is not readable YAML")?;
    document.sort_all_objects();
    Ok(document)
}

/// Calls `visit` with the path, the method and the operation of each operation.
pub(super) fn for_each_operation(
    document: &mut Value,
    mut visit: impl FnMut(&str, &str, &mut Map<String, Value>) -> Result<()>,
) -> Result<()> {
    let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) else {
        return Ok(());
    };
    for (path, item) in paths {
        let Some(item) = item.as_object_mut() else {
            continue;
        };
        for method in METHODS {
            if let Some(operation) = item.get_mut(method).and_then(Value::as_object_mut) {
                visit(path, method, operation)?;
            }
        }
    }
    Ok(())
}

/// The `operationId`, or the method and path where there is none, for messages.
pub(super) fn operation_name(path: &str, method: &str, operation: &Map<String, Value>) -> String {
    operation
        .get("operationId")
        .and_then(Value::as_str)
        .map_or_else(|| format!("{} {path}", method.to_uppercase()), str::to_owned)
}

/// The named schemas of the document, by name.
pub(super) fn schemas(document: &Value) -> Option<&Map<String, Value>> {
    document.pointer("/components/schemas").and_then(Value::as_object)
}

/// The named schemas of the document, by name, for rewriting.
pub(super) fn schemas_mut(document: &mut Value) -> Option<&mut Map<String, Value>> {
    document.pointer_mut("/components/schemas").and_then(Value::as_object_mut)
}

/// The name of the component that a schema refers to, if it is nothing but a reference.
pub(super) fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix("#/components/schemas/")
}

/// The component behind a reference or behind an `allOf` of a single reference, which is how 3.0 documents add a
/// description or `nullable` to a reference.
pub(super) fn single_reference(schema: &Value) -> Option<&str> {
    reference(schema).or_else(|| match schema.get("allOf")?.as_array()?.as_slice() {
        [only] => reference(only),
        _ => None,
    })
}

/// Calls `visit` with each schema below `schema`, itself included, outermost first.
pub(super) fn for_each_schema(schema: &mut Value, visit: &mut impl FnMut(&mut Value) -> Result<()>) -> Result<()> {
    visit(schema)?;
    let Some(schema) = schema.as_object_mut() else {
        return Ok(());
    };
    for keyword in ["items", "additionalProperties", "not"] {
        if let Some(below) = schema.get_mut(keyword).filter(|below| below.is_object()) {
            for_each_schema(below, visit)?;
        }
    }
    for keyword in ["allOf", "anyOf", "oneOf"] {
        for below in schema.get_mut(keyword).and_then(Value::as_array_mut).into_iter().flatten() {
            for_each_schema(below, visit)?;
        }
    }
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        for (_, below) in properties {
            for_each_schema(below, visit)?;
        }
    }
    Ok(())
}

/// All strings that are values of `$ref` below a value, in the order they are met.
pub(super) fn references(value: &Value) -> Vec<&str> {
    match value {
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, member)| match (name.as_str(), member) {
                ("$ref", Value::String(target)) => vec![target.as_str()],
                _ => references(member),
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}
