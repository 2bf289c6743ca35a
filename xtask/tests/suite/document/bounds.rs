//! Checks that every value that a caller can send has a documented bound. `header_block` under `x-limits` bounds parameters and headers
//! together. A body is bounded as a whole, and these tests check its members.

use serde_json::{Value, json};

use super::source;

/// The body of `generate`.
const GENERATE: &str = "/components/schemas/GenerateRequest";

#[test]
fn whatever_a_caller_sends_is_bounded() {
    let document = source::document();
    for limit in ["request_body", "capture_body", "header_block"] {
        assert!(document["x-limits"][limit]["maximum"].is_u64(), "{limit}");
    }
    let found = unbounded_inputs(&document);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn what_has_no_bound_is_found() {
    let mut document = source::document();
    let generate = document.pointer_mut(GENERATE).expect("the document has the body of generate");
    generate["properties"]["topic"] = json!({ "type": "string" });
    generate["properties"]["keywords"]["maxItems"].take();
    generate["properties"]["target_word_count"] = json!({ "type": "integer", "minimum": 1 });
    let found = unbounded_inputs(&document);
    let ends = ["properties/keywords", "properties/target_word_count", "properties/topic"];
    assert_eq!(found, ends.map(|end| format!("post /api/v1/generate{GENERATE}/{end}")));
}

/// Members that only the size of the whole body bounds. A bound on the trap member would reveal it to robots, and campaign tags are kept
/// unchanged.
const BOUNDED_BY_BODY: [&str; 2] = ["_hp", "utm"];
/// Places of the form that rules bound. `lead-form-names` names the bounds of names that the schema does not list, and of `consent`
/// only some values count.
const BOUNDED_BY_RULE: [&str; 2] =
    ["/components/schemas/LeadForm/additionalProperties", "/components/schemas/LeadForm/properties/consent"];

/// The places of members without a bound, in bodies of the API and of the lead form.
fn unbounded_inputs(document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for (place, operation) in source::operations_of(document, "paths") {
        for (media_type, content) in operation["requestBody"]["content"].as_object().into_iter().flatten() {
            let place = if media_type.contains("json") { place.clone() } else { format!("{place} {media_type}") };
            unbounded(document, &place, &content["schema"], &mut found);
        }
    }
    found.retain(|place| !BOUNDED_BY_RULE.iter().any(|rule| place.ends_with(rule)));
    found.sort();
    found
}

/// Adds the places in a schema at which a value has no bound.
fn unbounded(document: &Value, place: &str, schema: &Value, found: &mut Vec<String>) {
    let (pointer, schema) = resolve(document, schema);
    let place = format!("{place}{pointer}");
    let has = |names: &[&str]| names.iter().any(|name| !schema[*name].is_null());
    let is_bounded = match schema["type"].as_str() {
        Some("string") => has(&["maxLength", "x-trimmed-length", "enum", "format", "pattern"]),
        Some("integer" | "number") => has(&["maximum", "enum"]),
        Some("array") => has(&["maxItems"]),
        Some("object") => has(&["properties", "maxProperties"]),
        _ => true,
    };
    if !is_bounded {
        found.push(place.clone());
    }
    for (name, property) in schema["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, _)| !BOUNDED_BY_BODY.contains(&name.as_str()))
    {
        unbounded(document, &format!("{place}/properties/{name}"), property, found);
    }
    for part in ["allOf", "oneOf", "anyOf"] {
        for (index, schema) in schema[part].as_array().into_iter().flatten().enumerate() {
            unbounded(document, &format!("{place}/{part}/{index}"), schema, found);
        }
    }
    for part in ["items", "additionalProperties"] {
        if schema[part].is_object() {
            unbounded(document, &format!("{place}/{part}"), &schema[part], found);
        }
    }
}

/// The component behind a reference with its pointer, or the part itself.
fn resolve<'tree>(document: &'tree Value, part: &'tree Value) -> (&'tree str, &'tree Value) {
    match part["$ref"].as_str() {
        Some(reference) => {
            let pointer = &reference[1..];
            (pointer, document.pointer(pointer).unwrap_or_else(|| panic!("{reference} leads nowhere")))
        }
        None => ("", part),
    }
}
