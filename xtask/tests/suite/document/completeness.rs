//! Nothing in the document without a description, an example and its provenance.

use serde_json::{Value, json};

use super::source;

/// The public operations, in the order of their names.
const OPERATIONS: [&str; 9] = [
    "cancel_job",
    "generate",
    "get_article",
    "get_job",
    "get_lead",
    "list_articles",
    "list_leads",
    "list_scheduled_posts",
    "list_websites",
];

#[test]
fn the_nine_public_operations_are_described() {
    let document = source::document();
    let mut names: Vec<_> = source::operations_of(&document, "paths")
        .into_iter()
        .map(|(place, operation)| operation["operationId"].as_str().unwrap_or_else(|| panic!("{place} has no name")))
        .collect();
    names.sort_unstable();
    assert_eq!(names, OPERATIONS);
}

#[test]
fn every_path_begins_with_the_version() {
    let document = source::document();
    let paths = document["paths"].as_object().expect("the document has paths");
    assert!(paths.keys().all(|path| path.starts_with("/api/v1/")), "{paths:?}");
}

#[test]
fn every_operation_has_description_provenance_and_examples() {
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
fn every_parameter_and_header_has_description_provenance_and_example() {
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
fn every_schema_and_property_has_description_provenance_and_example() {
    let document = source::document();
    let faults = faults_of_schemas(&document);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
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
        let is_reference = object.contains_key("allOf");
        if object.get("type") == Some(&json!("object")) && !is_named && !is_reference {
            faults.push(pointer.to_owned());
        }
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn faults_of_schemas(document: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    for (place, schema) in source::named_schemas(document) {
        let has_members = schema.get("properties").is_some() || schema.get("oneOf").is_some();
        faults.extend(lacking(&place, schema, !has_members));
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            faults.extend(lacking(&format!("{place}.{name}"), property, true));
        }
    }
    faults
}

/// What a part of the document lacks, one sentence each.
fn lacking(place: &str, part: &Value, wants_example: bool) -> Vec<String> {
    let mut faults = Vec::new();
    if part["description"].as_str().is_none_or(|text| text.trim().is_empty()) {
        faults.push(format!("{place} has no description"));
    }
    match part["x-provenance"].as_str() {
        Some("documented") if part.get("x-source").is_none() => {
            faults.push(format!("{place} does not say where it is documented"));
        }
        Some("documented" | "extension") => {}
        _ => faults.push(format!("{place} has no provenance")),
    }
    if wants_example && part.get("example").is_none() {
        faults.push(format!("{place} has no example"));
    }
    faults
}

fn lacking_example(place: &str, content: &Value) -> Option<String> {
    let has_example = content.get("example").is_some() || content.get("examples").is_some();
    (!has_example).then(|| format!("{place} has no example"))
}

/// The component behind a reference, or the part itself.
fn resolve<'tree>(document: &'tree Value, part: &'tree Value) -> &'tree Value {
    match part["$ref"].as_str() {
        Some(reference) => document.pointer(&reference[1..]).unwrap_or_else(|| panic!("{reference} leads nowhere")),
        None => part,
    }
}
