//! The values at the edges of a schema: each property at its smallest and its largest.
//!
//! What lies one beyond an edge is in `breakage`.

use serde_json::{Value, json};

use super::value::{length_bounds, resolve, type_of};

/// Objects that are `base` with one property at an edge, in a fixed order; `base` itself comes first.
///
/// Properties whose pointer is in `skip` keep the base's value.
pub fn boundaries(components: &Value, schema: &Value, base: &Value, skip: &[&str]) -> Vec<Value> {
    let schema = resolve(components, schema);
    let mut cases = vec![base.clone()];
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if skip.contains(&name.as_str()) {
            continue;
        }
        for value in edges(components, property) {
            let mut case = base.clone();
            case[name] = value;
            cases.push(case);
        }
    }
    cases
}

fn edges(components: &Value, schema: &Value) -> Vec<Value> {
    let schema = resolve(components, schema);
    if let Some(values) = schema["enum"].as_array() {
        return values.clone();
    }
    match type_of(schema) {
        "boolean" => vec![json!(false), json!(true)],
        "integer" => ["minimum", "maximum"]
            .iter()
            .filter_map(|bound| schema[*bound].as_i64())
            .flat_map(|bound| [json!(bound)])
            .collect(),
        "string" if schema.get("format").is_some() => Vec::new(),
        "string" => texts(schema),
        "array" => items(components, schema),
        _ => members(components, schema),
    }
}

/// The shortest and longest texts, one byte and four bytes a code point, and trimmed padding.
fn texts(schema: &Value) -> Vec<Value> {
    if schema.get("pattern").is_some() && schema.get("x-trimmed-length").is_none() {
        return Vec::new();
    }
    let (minimum, maximum) = length_bounds(schema);
    let mut texts: Vec<String> =
        ["a", "\u{1f600}"].iter().flat_map(|letter| [letter.repeat(minimum.max(1)), letter.repeat(maximum)]).collect();
    if schema.get("x-trimmed-length").is_some() {
        texts.push(format!("\u{3000}{}\u{a0}\t", "b".repeat(maximum)));
        texts.push("line one\nline two".to_owned());
        texts.push("e\u{301}".repeat(maximum / 2));
    }
    texts.into_iter().map(Value::from).collect()
}

fn items(components: &Value, schema: &Value) -> Vec<Value> {
    let maximum = schema["maxItems"].as_u64().unwrap_or(4);
    let each = edges(components, &schema["items"]);
    let full: Vec<Value> = (0..maximum).map(|number| json!(format!("k{number}"))).collect();
    std::iter::once(json!([]))
        .chain(std::iter::once(Value::Array(full)))
        .chain(each.into_iter().map(|item| json!([item])))
        .collect()
}

fn members(components: &Value, schema: &Value) -> Vec<Value> {
    if !schema["additionalProperties"].is_object() {
        return Vec::new();
    }
    let maximum = schema["maxProperties"].as_u64().unwrap_or(4);
    let full: serde_json::Map<String, Value> =
        (0..maximum).map(|number| (format!("key{number}"), json!("v"))).collect();
    let each = edges(components, &schema["additionalProperties"]);
    [json!({}), Value::Object(full), json!({ "k".repeat(40): "longest name" })]
        .into_iter()
        .chain(each.into_iter().map(|value| json!({ "k": value })))
        .collect()
}
