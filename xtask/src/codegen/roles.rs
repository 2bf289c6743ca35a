//! Which schemas are sent and which are received: bounds, defaults and builders differ by that.

use std::collections::BTreeSet;

use serde_json::Value;

use super::document::{references, schemas};

/// The names of the schemas that request bodies use, directly or through others.
pub(super) fn request_schemas(document: &Value) -> BTreeSet<String> {
    used_by(document, &["requestBody"])
}

/// The names of the schemas that are sent and not received as well.
pub(super) fn sent_schemas(document: &Value) -> BTreeSet<String> {
    let mut sent = used_by(document, &["requestBody", "parameters"]);
    let received = used_by(document, &["responses"]);
    sent.retain(|name| !received.contains(name));
    sent
}

/// The names of the schemas that parts of the operations use, directly or through others.
fn used_by(document: &Value, parts: &[&str]) -> BTreeSet<String> {
    let paths = document.get("paths").and_then(Value::as_object).into_iter().flatten();
    let operations = paths.flat_map(|(_, item)| item.as_object().into_iter().flatten());
    let parts = operations.flat_map(|(_, operation)| parts.iter().filter_map(|part| operation.get(*part)));
    let mut pending: Vec<String> = parts.flat_map(schema_references).collect();
    let mut found = BTreeSet::new();
    while let Some(name) = pending.pop() {
        if let Some(schema) = schemas(document).and_then(|schemas| schemas.get(&name))
            && found.insert(name)
        {
            pending.extend(schema_references(schema));
        }
    }
    found
}

/// The names of the schemas that a value refers to.
fn schema_references(value: &Value) -> Vec<String> {
    references(value)
        .into_iter()
        .filter_map(|target| target.strip_prefix("#/components/schemas/"))
        .map(str::to_owned)
        .collect()
}
