//! Makes progenitor's input: the document without parts that progenitor does not support or would enforce on responses. Omits bounds,
//! defaults and formats, because one overlong text must not make an article unreadable; `bounds` checks those of requests.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value, json};

use super::document::Document;
use super::json::{is_map, is_marked, properties, single_reference, target, text, texts};
use super::operation::Operation;
use super::words::snake;

/// The members that a server of the profile `core` promises of a schema.
pub(super) const CORE_REQUIRED: &str = "x-core-required";
/// The values of a vocabulary that may grow.
pub(super) const OPEN_VOCABULARY: &str = "x-extensible-enum";

/// The document for progenitor.
pub(super) fn lower(document: &Document) -> Result<Value> {
    let requests = document.requests();
    let mut schemas = Map::new();
    for (name, schema) in &document.schemas {
        let lowered = component(document, schema, requests.contains(name));
        schemas.insert(name.clone(), lowered.with_context(|| format!("the schema `{name}`"))?);
    }
    let mut paths = json!({});
    for operation in &document.operations {
        paths[&operation.path][&operation.method] = method(document, operation)?;
    }
    let version = document.root.pointer("/info/version").context("the document has no version")?;
    let mut lowered = json!({
        "openapi": "3.0.3",
        "info": { "title": "API", "version": version },
        "paths": paths,
        "components": { "schemas": schemas }
    });
    lowered.sort_all_objects();
    Ok(lowered)
}

fn method(document: &Document, operation: &Operation) -> Result<Value> {
    let mut method = json!({ "operationId": operation.id, "parameters": [] });
    for said in ["summary", "description"] {
        if let Some(text) = operation.written.get(said) {
            method[said] = text.clone();
        }
    }
    for parameter in &operation.parameters {
        let schema = member(document, &parameter.schema)?;
        let parameter = json!({
            "name": parameter.name, "in": parameter.place, "required": parameter.is_required,
            "description": parameter.description, "schema": schema
        });
        method["parameters"].as_array_mut().context("the method has no list of parameters")?.push(parameter);
    }
    let content = |schema: &String| json!({ "application/json": { "schema": reference(schema) } });
    if let Some(body) = &operation.body {
        let holder = target(&document.root, &operation.written["requestBody"])?;
        let said = holder.get("description").cloned().unwrap_or_default();
        method["requestBody"] = json!({ "required": true, "description": said, "content": content(body) });
    }
    method["responses"] = json!({ "2XX": { "description": "a success" } });
    if let Some(answer) = &operation.answer {
        method["responses"]["2XX"]["content"] = content(answer);
    }
    Ok(method)
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// A named schema.
fn component(document: &Document, schema: &Value, is_request: bool) -> Result<Value> {
    if schema.get(OPEN_VOCABULARY).is_some() {
        // Hand-written types replace this one and the next.
        return Ok(json!({ "type": "string" }));
    }
    if schema.get("oneOf").is_some() {
        return Ok(json!({ "type": "object" }));
    }
    let mut lowered = json!({ "type": schema["type"], "description": schema["description"] });
    if let Some(values) = schema.get("enum") {
        lowered["enum"] = values.clone();
    } else if properties(schema).next().is_some() {
        lowered["properties"] = json!({});
        let mut fields = BTreeSet::new();
        for (name, below) in properties(schema) {
            if !fields.insert(snake(name)) {
                bail!("two of its fields would be called `{}` in Rust; one of them is {name:?}", snake(name));
            }
            lowered["properties"][name] = member(document, below)?;
        }
        // Setters fill in requests one field after the other, and `bounds` finds those that are missing.
        if !is_request {
            lowered["required"] = json!(required(document, schema));
            lowered["additionalProperties"] = json!({});
        }
    } else {
        return member(document, schema);
    }
    Ok(lowered)
}

/// The members that are always there. Null and absence mean the same, so one that may be null need not be.
fn required<'a>(document: &Document, schema: &'a Value) -> Vec<&'a str> {
    if schema.get(CORE_REQUIRED).is_some() {
        return texts(schema, CORE_REQUIRED).collect();
    }
    let may_be_null = |name: &str| {
        let member = &schema["properties"][name];
        is_marked(member, "nullable") || is_marked(document.meaning(member), "nullable")
    };
    texts(schema, "required").filter(|name| !may_be_null(name)).collect()
}

/// A schema inside of another one.
fn member(document: &Document, schema: &Value) -> Result<Value> {
    if let Some(name) = single_reference(schema) {
        if !document.schemas.contains_key(name) {
            bail!("it refers to `{name}`, which is not in the document");
        }
        return Ok(reference(name));
    }
    let kind = text(schema, "type").context("it has a part without a `type`")?;
    let mut lowered = json!({ "type": kind });
    if let Some(said) = text(schema, "description") {
        lowered["description"] = json!(said);
    }
    match kind {
        "integer" => lowered["format"] = json!(width(schema)),
        "string" if text(schema, "format") == Some("date-time") => lowered["format"] = json!("date-time"),
        "array" => {
            lowered["items"] = member(document, schema.get("items").context("it has an array without `items`")?)?;
        }
        "object" if is_map(schema) => {
            let values = schema.get("additionalProperties").filter(|values| values.is_object());
            lowered["additionalProperties"] = values.map_or(Ok(json!(true)), |values| member(document, values))?;
        }
        "object" => bail!("it has an inline object; move it to `components/schemas` under a name"),
        _ => {}
    }
    Ok(lowered)
}

/// An unsigned number of a fitting width where the document excludes negative ones.
fn width(schema: &Value) -> &'static str {
    let is_negative = schema.get("minimum").and_then(Value::as_i64).is_none_or(|minimum| minimum < 0);
    let is_large = schema.get("maximum").and_then(Value::as_u64).is_some_and(|maximum| maximum > u64::from(u32::MAX));
    match (is_negative, is_large || text(schema, "format") == Some("int64")) {
        (true, _) => "int64",
        (false, true) => "uint64",
        (false, false) => "uint32",
    }
}
