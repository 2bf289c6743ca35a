//! Checks the document's marks for clients: all personal data is marked, and the profile `core` promises nothing beyond the whole API.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::source;

#[test]
fn what_personal_data_refers_to_is_marked_too() {
    let document = source::document();
    assert_eq!(unmarked(&document), Vec::<String>::new());
}

#[test]
fn a_mark_that_is_missing_is_found() {
    let mut document = source::document();
    document["components"]["schemas"]["LeadConsent"]["x-personal-data"].take();
    let found = unmarked(&document);
    assert!(found.contains(&"#/components/schemas/LeadConsent".to_owned()), "{found:?}");
}

#[test]
fn core_is_promised_nothing_that_is_not_promised_to_all() {
    let document = source::document();
    let mut promising = 0;
    for (pointer, schema) in source::named_schemas(&document) {
        let Some(promised) = schema.get("x-core-required") else { continue };
        let required: BTreeSet<String> = texts(&schema["required"]).collect();
        assert!(texts(promised).all(|name| required.contains(&name)), "{pointer}");
        promising += 1;
    }
    assert!(promising > 0, "the profile is promised something");
}

/// The schemas without a mark that personal data refers to.
fn unmarked(document: &Value) -> Vec<String> {
    let named = source::named_schemas(document);
    let mut found = Vec::new();
    for (_, schema) in named.iter().filter(|(_, schema)| is_personal(schema)) {
        source::for_each_object(schema, &mut |_, object| {
            let Some(reference) = object.get("$ref").and_then(Value::as_str) else { return };
            let target = document.pointer(reference.trim_start_matches('#'));
            if !target.is_some_and(is_personal) {
                found.push(reference.to_owned());
            }
        });
    }
    found
}

fn is_personal(schema: &Value) -> bool {
    schema.get("x-personal-data") == Some(&json!(true))
}

fn texts(list: &Value) -> impl Iterator<Item = String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned)
}
