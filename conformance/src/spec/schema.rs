//! OpenAPI 3.0 schemas as JSON Schema Draft 4, compiled.
//!
//! The document's own keyword lives in `keyword`.

use jsonschema::{Draft, Validator};
use serde_json::{Map, Value, json};

use super::keyword;

/// One violated constraint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violated {
    /// JSON pointer of the offending value, such as `/topic`.
    pub pointer: String,
    /// Keyword of the schema, such as `maxLength`.
    pub keyword: String,
    /// What the validator says, values masked to keep it short.
    pub message: String,
}

/// Converts OpenAPI 3.0 schemas, at any depth, to Draft 4.
///
/// `nullable` becomes a list of types, siblings of `$ref` are dropped (OpenAPI 3.0.3, Reference Object),
/// and members without a meaning for validation stay as they are.
pub fn draft4(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => convert(members),
        Value::Array(items) => Value::Array(items.iter().map(draft4).collect()),
        other => other.clone(),
    }
}

fn convert(members: &Map<String, Value>) -> Value {
    if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
        // All schemas are components here, wherever the document keeps them.
        let name = reference.rsplit_once('/').map_or(reference, |(_, name)| name);
        return json!({ "$ref": format!("#/components/schemas/{name}") });
    }
    let mut converted = Map::new();
    for (name, value) in members {
        match name.as_str() {
            "nullable" | "example" | "discriminator" | "xml" | "externalDocs" => {}
            "enum" | "default" | "required" => {
                converted.insert(name.clone(), value.clone());
            }
            "properties" => {
                let properties = value.as_object().into_iter().flatten();
                let properties = properties.map(|(name, schema)| (name.clone(), draft4(schema)));
                converted.insert(name.clone(), Value::Object(properties.collect()));
            }
            _ => {
                converted.insert(name.clone(), draft4(value));
            }
        }
    }
    if members.get("nullable") == Some(&Value::Bool(true)) {
        return nullable(converted);
    }
    Value::Object(converted)
}

fn nullable(mut schema: Map<String, Value>) -> Value {
    if let Some(Value::String(kind)) = schema.get("type").cloned() {
        schema.insert("type".to_owned(), json!([kind, "null"]));
        if let Some(Value::Array(values)) = schema.get_mut("enum") {
            values.push(Value::Null);
        }
        Value::Object(schema)
    } else {
        json!({ "anyOf": [Value::Object(schema), { "type": "null" }] })
    }
}

/// Converts every component schema of `document`; the names of components are no keywords.
pub(super) fn all(document: &Value) -> Value {
    let schemas = document["components"]["schemas"].as_object().into_iter().flatten();
    let converted = schemas.map(|(name, schema)| (name.clone(), draft4(schema)));
    Value::Object(converted.collect())
}

/// Merges each component that is an `allOf` of several objects into one object, so that the suite sees all its properties. Later
/// properties replace earlier ones of the same name.
pub(super) fn compose(document: &mut Value) {
    let schemas = document["components"]["schemas"].as_object().cloned().unwrap_or_default();
    for (name, schema) in &schemas {
        let parts = schema["allOf"].as_array().map(Vec::as_slice).unwrap_or_default();
        if parts.len() < 2 {
            continue;
        }
        let mut whole = schema.as_object().cloned().unwrap_or_default();
        let (mut properties, mut required, mut invariants) = (Map::new(), Vec::new(), Vec::new());
        for part in parts {
            let target = part["$ref"].as_str().and_then(|reference| reference.rsplit('/').next());
            let part = target.and_then(|name| schemas.get(name)).unwrap_or(part);
            properties.extend(part["properties"].as_object().cloned().unwrap_or_default());
            required.extend(part["required"].as_array().into_iter().flatten().cloned());
            invariants.extend(part["x-conformance"].as_array().into_iter().flatten().cloned());
        }
        invariants.extend(schema["x-conformance"].as_array().into_iter().flatten().cloned());
        whole.remove("allOf");
        whole.insert("type".to_owned(), json!("object"));
        whole.insert("properties".to_owned(), properties.into());
        whole.insert("required".to_owned(), required.into());
        whole.insert("x-conformance".to_owned(), invariants.into());
        document["components"]["schemas"][name] = whole.into();
    }
}

/// Compiles `schema`, whose references are looked up in `components`.
pub(super) fn compile(components: &Value, schema: &Value) -> Result<Validator, String> {
    let mut schemas = Map::new();
    collect(components, schema, &mut schemas);
    let root = json!({ "components": { "schemas": schemas }, "allOf": [schema] });
    jsonschema::options()
        .with_draft(Draft::Draft4)
        .should_validate_formats(true)
        .with_keyword(keyword::TRIMMED_LENGTH, keyword::trimmed_length)
        .with_keyword(keyword::KEY_LENGTH, keyword::key_length)
        .build(&root)
        .map_err(|error| error.to_string())
}

/// Adds what `schema` refers to, at any depth: a validator reads all that it is given.
fn collect(components: &Value, schema: &Value, found: &mut Map<String, Value>) {
    match schema {
        Value::Object(members) => {
            for (name, member) in members {
                let referred = member.as_str().filter(|_| name == "$ref").and_then(|text| text.rsplit('/').next());
                match referred {
                    Some(name) if found.contains_key(name) => {}
                    Some(name) => {
                        let Some(schema) = components.get(name) else { continue };
                        found.insert(name.to_owned(), schema.clone());
                        collect(components, schema, found);
                    }
                    None => collect(components, member, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(components, item, found)),
        _ => {}
    }
}

/// Everything that `value` violates.
pub(super) fn violated(validator: &Validator, value: &Value) -> Vec<Violated> {
    validator
        .iter_errors(value)
        .map(|error| Violated {
            pointer: error.instance_path().as_str().to_owned(),
            keyword: error.schema_path().as_str().rsplit('/').next().unwrap_or_default().to_owned(),
            message: error.masked().to_string(),
        })
        .collect()
}
