//! Members of objects: answers keep members that the document does not name, nullable members become optional ones,
//! defaults are dropped (they would be sent with every call, and answers would be filled with them).

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use serde_json::{Map, Value, json};

use super::document::{for_each_schema, schemas, schemas_mut, single_reference};

/// Formats that become types; all others would only refuse an answer that is readable otherwise.
const TYPED_FORMATS: [&str; 8] = ["date-time", "int8", "int16", "int32", "int64", "uint32", "uint64", "double"];

/// What the document says of each member, by schema and member: a reference cannot carry it through the generator.
pub(super) fn descriptions(document: &Value) -> BTreeMap<(String, String), String> {
    let mut found = BTreeMap::new();
    for (name, schema) in schemas(document).into_iter().flatten() {
        for (member, below) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let target = single_reference(below).and_then(|target| schemas(document)?.get(target));
            let description = below.get("description").or_else(|| target?.get("description"));
            if let Some(description) = description.and_then(Value::as_str) {
                found.insert((name.clone(), member.clone()), description.to_owned());
            }
        }
    }
    found
}

/// Rewrites the members of every object.
pub(super) fn rewrite(document: &mut Value, requests: &BTreeSet<String>) -> Result<()> {
    let nullable_schemas = take_nullable(document);
    for (name, schema) in schemas_mut(document).into_iter().flatten() {
        for_each_schema(schema, &mut |schema| {
            if let Some(plain) = plain_reference(schema) {
                *schema = plain;
            } else if let Some(schema) = schema.as_object_mut() {
                make_nullable_optional(schema, &nullable_schemas);
                drop_documentation(schema);
            }
            Ok(())
        })?;
        if let Some(schema) = schema.as_object_mut() {
            keep_unknown(schema, requests.contains(name));
        }
    }
    Ok(())
}

/// A reference without what a 3.0 document can only add to one by wrapping it.
fn plain_reference(schema: &Value) -> Option<Value> {
    schema.get("allOf")?;
    let name = single_reference(schema)?;
    Some(json!({ "$ref": format!("#/components/schemas/{name}") }))
}

/// Takes `nullable` off the named schemas and returns which had it: the members that refer to them carry it instead.
fn take_nullable(document: &mut Value) -> BTreeSet<String> {
    let schemas = schemas_mut(document).into_iter().flatten();
    schemas
        .filter_map(|(name, schema)| (schema.as_object_mut()?.remove("nullable")? == json!(true)).then(|| name.clone()))
        .collect()
}

/// Null and absence mean the same in answers, so a member that may be null need not be there.
fn make_nullable_optional(schema: &mut Map<String, Value>, nullable_schemas: &BTreeSet<String>) {
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else {
        return;
    };
    let is_nullable = |member: &mut Value| {
        let refers = single_reference(member).is_some_and(|target| nullable_schemas.contains(target));
        refers || member.as_object_mut().and_then(|member| member.remove("nullable")) == Some(json!(true))
    };
    let nullable: BTreeSet<String> =
        properties.iter_mut().filter_map(|(name, member)| is_nullable(member).then(|| name.clone())).collect();
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|name| name.as_str().is_none_or(|name| !nullable.contains(name)));
    }
}

/// Drops what documents or fills in, but is not a type.
fn drop_documentation(schema: &mut Map<String, Value>) {
    schema.retain(|keyword, _| {
        !keyword.starts_with("x-") && !matches!(keyword.as_str(), "default" | "example" | "externalDocs")
    });
    let typed = schema.get("format").and_then(Value::as_str).is_none_or(|format| TYPED_FORMATS.contains(&format));
    if !typed {
        schema.remove("format");
    }
}

/// Lets received objects keep what the document does not name; sent ones have nothing to keep.
fn keep_unknown(schema: &mut Map<String, Value>, is_request: bool) {
    let has_members = schema.contains_key("properties");
    let closed = schema.get("additionalProperties").is_none_or(Value::is_boolean);
    if has_members && closed {
        schema.remove("additionalProperties");
        if !is_request {
            schema.insert("additionalProperties".to_owned(), json!({}));
        }
    }
}
