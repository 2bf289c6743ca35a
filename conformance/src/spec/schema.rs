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
    if let Some(reference) = members.get("$ref").filter(|value| value.is_string()) {
        return json!({ "$ref": reference });
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

/// Converts every component schema; the names of components are no keywords.
pub(super) fn all(components: &Value) -> Value {
    let components = components.as_object().into_iter().flatten();
    let converted = components.map(|(name, schema)| (name.clone(), draft4(schema)));
    Value::Object(converted.collect())
}

/// Compiles the component `name` of `components`.
pub(super) fn compile(components: &Value, name: &str) -> Result<Validator, String> {
    let root = json!({
        "components": { "schemas": components },
        "allOf": [{ "$ref": format!("#/components/schemas/{name}") }],
    });
    jsonschema::options()
        .with_draft(Draft::Draft4)
        .should_validate_formats(true)
        .with_keyword(keyword::TRIMMED_LENGTH, keyword::trimmed_length)
        .with_keyword(keyword::KEY_LENGTH, keyword::key_length)
        .build(&root)
        .map_err(|error| error.to_string())
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
