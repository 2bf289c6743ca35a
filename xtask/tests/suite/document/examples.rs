//! Checks every example in the document against its schema.

use jsonschema::{Draft, Validator};
use serde_json::{Map, Value, json};

use super::source;

#[test]
fn every_example_fits_its_schema() {
    let document = source::document();
    let (faults, checked) = faults_of_examples(&document);
    assert!(checked > 300, "only {checked} examples were found");
    assert!(faults.is_empty(), "{} examples do not fit:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn an_example_that_does_not_fit_is_found() {
    let mut document = source::document();
    document["components"]["schemas"]["Job"]["properties"]["progress"]["example"] = json!(101);
    document["components"]["schemas"]["Website"]["properties"]["url"]["example"] = json!("no address");
    document["components"]["schemas"]["Website"]["properties"]["created_at"]["example"] = json!("yesterday");
    let (faults, _) = faults_of_examples(&document);
    assert_eq!(faults.len(), 3, "{faults:?}");
}

#[test]
fn null_is_an_example_only_where_the_document_allows_it() {
    let mut document = source::document();
    let properties = &mut document["components"]["schemas"]["Job"]["properties"];
    properties["error"]["example"] = Value::Null;
    properties["article_id"]["example"] = Value::Null;
    properties["topic"]["example"] = Value::Null;
    let (faults, _) = faults_of_examples(&document);
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].contains("/topic"), "{faults:?}");
}

/// All faults of all examples, and how many examples there were.
fn faults_of_examples(document: &Value) -> (Vec<String>, usize) {
    let mut converted = document.clone();
    convert(&mut converted);
    let mut examples = Vec::new();
    source::for_each_object(document, &mut |pointer, object| collect(pointer, object, &mut examples));
    let mut faults = Vec::new();
    for (schema, place, value) in &examples {
        let validator = validator(&converted, schema);
        faults.extend(
            validator
                .iter_errors(value)
                .map(|error| format!("{place}: {error} at {:?}", error.instance_path().to_string())),
        );
    }
    (faults, examples.len())
}

/// Adds the examples of an object: beside a `schema`, or in a schema itself.
fn collect(pointer: &str, object: &Map<String, Value>, examples: &mut Vec<(String, String, Value)>) {
    let is_data = pointer.contains("/example/") || pointer.contains("/value/") || pointer.ends_with("/value");
    if is_data {
        return;
    }
    let schema = if object.contains_key("schema") {
        format!("{pointer}/schema")
    } else if pointer.contains("/schemas/") {
        pointer.to_owned()
    } else {
        return;
    };
    if let Some(example) = object.get("example") {
        examples.push((schema.clone(), format!("{pointer}/example"), example.clone()));
    }
    for (name, example) in object.get("examples").and_then(Value::as_object).into_iter().flatten() {
        let value = example.get("value").expect("an example has a value");
        examples.push((schema.clone(), format!("{pointer}/examples/{name}"), value.clone()));
    }
}

/// A validator for the schema at `pointer`, with the whole document at hand for its references.
fn validator(converted: &Value, pointer: &str) -> Validator {
    let mut root = json!({ "$ref": format!("#{}", pointer.replace('{', "%7B").replace('}', "%7D")) });
    for section in ["components", "paths", "x-webhooks"] {
        root[section] = converted[section].clone();
    }
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(true)
        .build(&root)
        .unwrap_or_else(|error| panic!("the schema at {pointer} is not usable: {error}"))
}

/// Rewrites `nullable` into a list of types, wherever a schema says it.
fn convert(tree: &mut Value) {
    match tree {
        Value::Object(members) => {
            if members.get("nullable") == Some(&Value::Bool(true))
                && let Some(kind) = members.get("type").cloned()
            {
                members.insert("type".to_owned(), json!([kind, "null"]));
            }
            members.values_mut().for_each(convert);
        }
        Value::Array(items) => items.iter_mut().for_each(convert),
        _ => {}
    }
}
