//! OpenAPI 3.0 schemas as JSON Schema Draft 4, compiled.
//!
//! `keyword` contains the document's own keywords.

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
    /// Message of the validator, with masked values to keep it short.
    pub message: String,
}

/// Converts OpenAPI 3.0 schemas, at any depth, to Draft 4.
///
/// `nullable` becomes a list of types, siblings of `$ref` are dropped (OpenAPI 3.0.3, Reference Object), and fields
/// without a meaning for validation stay unchanged.
pub fn draft4(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => convert(members),
        Value::Array(items) => Value::Array(items.iter().map(draft4).collect()),
        other => other.clone(),
    }
}

fn convert(members: &Map<String, Value>) -> Value {
    if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
        // All schemas are components here, regardless of their location in the document.
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

/// Converts every component schema of `document`; names of components are not keywords.
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

/// Compiles `schema`, whose references lead to `components`.
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

/// Adds the schemas that `schema` refers to, at any depth, because a validator compiles everything in its input.
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

/// Returns `schema` and the schemas that it refers to or consists of.
fn parts<'schema>(components: &'schema Value, schema: &'schema Value) -> Vec<&'schema Value> {
    let mut found = vec![schema];
    let mut read = 0;
    while let Some(part) = found.get(read) {
        read += 1;
        let Some(members) = part.as_object() else { continue };
        let referred = members.get("$ref").and_then(Value::as_str).and_then(|reference| reference.rsplit('/').next());
        found.extend(referred.and_then(|name| components.get(name)));
        for keyword in ["allOf", "anyOf"] {
            found.extend(members.get(keyword).and_then(Value::as_array).into_iter().flatten());
        }
    }
    found
}

/// Calls `visit` with each value at or below `value` that a schema describes: its JSON pointer, the schema and the value.
pub(super) fn visit(
    components: &Value,
    schema: &Value,
    value: &Value,
    pointer: &str,
    visit_one: &mut dyn FnMut(&str, &Value, &Value),
) {
    let parts = parts(components, schema);
    for part in &parts {
        visit_one(pointer, part, value);
    }
    match value {
        Value::Object(fields) => {
            let properties: Vec<&Value> = parts.iter().filter_map(|part| part.get("properties")).collect();
            for (name, field) in fields {
                if let Some(property) = properties.iter().find_map(|part| part.get(name)) {
                    visit(components, property, field, &format!("{pointer}/{name}"), visit_one);
                }
            }
        }
        Value::Array(items) => {
            let Some(schema) = parts.iter().find_map(|part| part.get("items")) else { return };
            for (index, item) in items.iter().enumerate() {
                visit(components, schema, item, &format!("{pointer}/{index}"), visit_one);
            }
        }
        _ => {}
    }
}

/// Returns `value` without the fields that are null and may be absent. Keeps a null in the place of an array or a map.
pub(super) fn without_nulls(components: &Value, schema: &Value, value: &Value) -> Value {
    let parts = parts(components, schema);
    let is_required = |name: &str| {
        let mut required = parts.iter().filter_map(|part| part["required"].as_array()).flatten();
        required.any(|required| required == name)
    };
    match value {
        Value::Object(fields) => {
            let kept = fields.iter().filter_map(|(name, field)| {
                let Some(property) = parts.iter().find_map(|part| part["properties"].get(name)) else {
                    return Some((name.clone(), field.clone()));
                };
                let is_absent = field.is_null() && !is_required(name) && !is_collection(components, property);
                (!is_absent).then(|| (name.clone(), without_nulls(components, property, field)))
            });
            Value::Object(kept.collect())
        }
        Value::Array(items) => match parts.iter().find_map(|part| part.get("items")) {
            Some(schema) => items.iter().map(|item| without_nulls(components, schema, item)).collect(),
            None => value.clone(),
        },
        _ => value.clone(),
    }
}

/// Returns true if a schema is of an array, or of a map from names to values.
fn is_collection(components: &Value, schema: &Value) -> bool {
    let is_one = |part: &&Value| part["type"] == "array" || part["additionalProperties"].is_object();
    parts(components, schema).iter().any(is_one)
}

/// Returns all violations of `value`.
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{visit, without_nulls};

    fn components() -> Value {
        json!({
            "State": { "type": "string", "x-extensible-enum": ["on", "off"] },
            "Note": { "type": "object", "properties": { "text": { "type": "string" } } },
            "Labels": { "type": "object", "additionalProperties": { "type": "string" } },
        })
    }

    #[test]
    fn values_at_any_depth_are_visited_with_their_schemas() {
        let state = json!({ "anyOf": [{ "allOf": [{ "$ref": "#/components/schemas/State" }] }, { "type": "null" }] });
        let schema = json!({ "properties": { "items": { "items": { "properties": { "state": state } } } } });
        let body = json!({ "items": [{ "state": "on" }, { "state": "low", "other": "low" }] });
        let mut seen = Vec::new();
        visit(&components(), &schema, &body, "", &mut |pointer, described, value| {
            if described["x-extensible-enum"].is_array() {
                seen.push((pointer.to_owned(), value.clone()));
            }
        });
        assert_eq!(seen, [("/items/0/state".to_owned(), json!("on")), ("/items/1/state".to_owned(), json!("low"))]);
    }

    #[test]
    fn a_null_counts_as_absent_unless_its_field_is_required_or_a_collection() {
        let schema = json!({
            "required": ["id"],
            "properties": {
                "id": { "type": "string" },
                "note": { "allOf": [{ "$ref": "#/components/schemas/Note" }] },
                "notes": { "type": "array", "items": { "$ref": "#/components/schemas/Note" } },
                "labels": { "allOf": [{ "$ref": "#/components/schemas/Labels" }] },
            },
        });
        let kept = |value: Value| without_nulls(&components(), &schema, &value);
        assert_eq!(kept(json!({ "note": null, "notes": [{ "text": null }, null] })), json!({ "notes": [{}, null] }));
        for whole in [json!({ "id": null, "notes": null, "labels": null, "other": null }), json!({ "note": {} })] {
            assert_eq!(kept(whole.clone()), whole);
        }
    }
}
