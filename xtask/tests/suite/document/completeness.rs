//! Every part of the document has a description and an example, and every documented part names its source.

use serde_json::{Value, json};

use super::source;

/// The public operations, in the order of their names.
const OPERATIONS: [&str; 13] = [
    "cancel_job",
    "capture_lead",
    "confirm_lead",
    "generate",
    "get_article",
    "get_job",
    "get_lead",
    "get_scheduled_post",
    "list_articles",
    "list_leads",
    "list_scheduled_posts",
    "list_websites",
    "show_confirmation",
];

#[test]
fn the_public_operations_are_described() {
    let document = source::document();
    let mut names: Vec<_> = source::operations_of(&document, "paths")
        .into_iter()
        .map(|(place, operation)| operation["operationId"].as_str().unwrap_or_else(|| panic!("{place} has no name")))
        .collect();
    names.sort_unstable();
    assert_eq!(names, OPERATIONS);
}

#[test]
fn what_needs_a_key_is_below_the_version_and_what_needs_none_is_the_lead_form() {
    let document = source::document();
    for (place, operation) in source::operations_of(&document, "paths") {
        let needs_no_key = operation.get("security") == Some(&json!([]));
        let prefix = if needs_no_key { "/capture/" } else { "/api/v1/" };
        assert!(place.split(' ').nth(1).is_some_and(|path| path.starts_with(prefix)), "{place}");
    }
}

#[test]
fn every_operation_has_description_source_and_examples() {
    let document = source::document();
    let mut faults = Vec::new();
    for (place, operation) in source::operations(&document) {
        faults.extend(lacking(&place, operation, false));
        if let Some(content) = operation.pointer("/requestBody/content/application~1json") {
            faults.extend(lacking_example(&format!("{place} request"), content));
        }
        for (status, response) in operation["responses"].as_object().into_iter().flatten() {
            let resolved = resolve(&document, response);
            for (media_type, content) in resolved["content"].as_object().into_iter().flatten() {
                faults.extend(lacking_example(&format!("{place} {status} {media_type}"), content));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_parameter_and_header_has_description_source_and_example() {
    let document = source::document();
    let mut faults = Vec::new();
    for (place, operation) in source::operations(&document) {
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let parameter = resolve(&document, parameter);
            faults.extend(lacking(&format!("{place} {}", parameter["name"]), parameter, true));
        }
    }
    for (name, header) in document["components"]["headers"].as_object().into_iter().flatten() {
        faults.extend(lacking(name, header, true));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_schema_and_property_has_description_source_and_example() {
    let document = source::document();
    let faults = faults_of_schemas(&document);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// `extension` is the default, so it is not written.
#[test]
fn a_provenance_that_is_written_is_documented() {
    source::for_each_object(&source::document(), &mut |pointer, object| {
        for mark in ["x-provenance", "x-capability"] {
            let is_allowed = object.get(mark).is_none_or(|value| value == "documented");
            assert!(is_allowed, "{pointer}: leave {mark} out, or say `documented`");
        }
    });
}

#[test]
fn what_a_property_lacks_is_found() {
    let mut document = source::document();
    let topic = document.pointer_mut("/components/schemas/Job/properties/topic").expect("a job has a topic");
    *topic = json!({ "type": "string", "x-provenance": "documented" });
    let faults = faults_of_schemas(&document);
    assert_eq!(faults.len(), 3, "{faults:?}");
}

#[test]
fn no_object_schema_is_written_in_place() {
    let document = source::document();
    let mut faults = Vec::new();
    source::for_each_object(&document, &mut |pointer, object| {
        let is_named = pointer.matches('/').count() <= 3 && pointer.contains("/schemas/");
        let is_reference = object.contains_key("allOf") || pointer.contains("/allOf/");
        if object.get("type") == Some(&json!("object")) && !is_named && !is_reference {
            faults.push(pointer.to_owned());
        }
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn faults_of_schemas(document: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    for (place, schema) in source::named_schemas(document) {
        let has_members = ["properties", "oneOf", "allOf"].iter().any(|keyword| schema.get(keyword).is_some());
        faults.extend(lacking(&place, schema, !has_members));
        for part in std::iter::once(schema).chain(schema["allOf"].as_array().into_iter().flatten()) {
            for (name, property) in part["properties"].as_object().into_iter().flatten() {
                // A component has its own description and example.
                if property.get("$ref").is_none() {
                    faults.extend(lacking(&format!("{place}.{name}"), property, property.get("allOf").is_none()));
                }
            }
        }
    }
    faults
}

/// Returns the missing parts, one sentence each.
fn lacking(place: &str, part: &Value, wants_example: bool) -> Vec<String> {
    let mut faults = Vec::new();
    if part["description"].as_str().is_none_or(|text| text.trim().is_empty()) {
        faults.push(format!("{place} has no description"));
    }
    let is_documented = ["x-provenance", "x-capability"].iter().any(|mark| part.get(mark).is_some());
    if is_documented && part.get("x-source").is_none() {
        faults.push(format!("{place} does not say where it is documented"));
    }
    if wants_example && part.get("example").is_none() {
        faults.push(format!("{place} has no example"));
    }
    faults
}

fn lacking_example(place: &str, content: &Value) -> Option<String> {
    // A page is a component with an example.
    let has_example = ["example", "examples"].iter().any(|name| content.get(name).is_some())
        || content["schema"]["$ref"] == "#/components/schemas/Page";
    (!has_example).then(|| format!("{place} has no example"))
}

/// The component behind a reference, or the part itself.
fn resolve<'tree>(document: &'tree Value, part: &'tree Value) -> &'tree Value {
    match part["$ref"].as_str() {
        Some(reference) => document.pointer(&reference[1..]).unwrap_or_else(|| panic!("{reference} leads nowhere")),
        None => part,
    }
}
