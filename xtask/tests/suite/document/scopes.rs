//! Machines read scopes in `x-required-scope` and `x-scopes`, people in descriptions. Both say the same.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::source;

#[test]
fn every_operation_names_its_scope_in_its_last_sentence() {
    let document = source::document();
    assert_eq!(faults_of_operations(&document), Vec::<String>::new());
}

#[test]
fn a_sentence_that_names_another_scope_or_none_is_found() {
    let mut document = source::document();
    document["paths"]["/api/v1/leads"]["get"]["x-required-scope"] = "jobs:read".into();
    document["paths"]["/api/v1/websites"]["get"]["description"] = "Lists the websites.".into();
    let generate = &mut document["paths"]["/api/v1/generate"]["post"];
    generate["x-required-scope"] = "everything".into();
    generate["description"] = "Requires the scope `everything`.".into();
    let faults = faults_of_operations(&document);
    assert_eq!(faults.len(), 3, "{faults:?}");
}

#[test]
fn the_scheme_lists_every_scope_with_the_same_words_for_people_and_machines() {
    let document = source::document();
    let scheme = &document["components"]["securitySchemes"]["platform_key"];
    let table: BTreeMap<_, _> = scheme["description"].as_str().unwrap().lines().filter_map(row).collect();
    let scopes: BTreeMap<_, _> = scopes(&document).collect();
    assert_eq!(table, scopes);
    let operations = source::operations_of(&document, "paths");
    let required: BTreeSet<_> = operations.iter().filter_map(|(_, operation)| scope(operation)).collect();
    assert_eq!(required, scopes.into_keys().collect(), "each scope is required somewhere");
}

/// The name and the meaning in a row of a Markdown table of scopes.
fn row(line: &str) -> Option<(&str, &str)> {
    let (name, meaning) = line.strip_prefix("| `")?.strip_suffix(" |")?.split_once("` | ")?;
    Some((name, meaning))
}

fn scopes(document: &Value) -> impl Iterator<Item = (&str, &str)> {
    let scopes = document["components"]["securitySchemes"]["platform_key"]["x-scopes"].as_object();
    let scopes = scopes.expect("the scheme lists its scopes");
    scopes.iter().map(|(name, meaning)| (name.as_str(), meaning.as_str().expect("a scope has a meaning")))
}

fn scope(operation: &Value) -> Option<&str> {
    operation["x-required-scope"].as_str()
}

fn faults_of_operations(document: &Value) -> Vec<String> {
    let known: BTreeSet<_> = scopes(document).map(|(name, _)| name).collect();
    let mut faults = Vec::new();
    for (place, operation) in source::operations_of(document, "paths") {
        let is_public = operation["security"].as_array().is_some_and(Vec::is_empty);
        let last = operation["description"].as_str().unwrap_or_default().trim_end().lines().last().unwrap_or_default();
        match scope(operation) {
            Some(scope) if is_public => faults.push(format!("{place} takes no key, so it cannot require `{scope}`")),
            Some(scope) if !known.contains(scope) => faults.push(format!("{place}: `x-scopes` lacks `{scope}`")),
            Some(scope) if last != format!("Requires the scope `{scope}`.") => {
                faults.push(format!("{place}: end the description with \"Requires the scope `{scope}`.\""));
            }
            None if !is_public => faults.push(format!("{place} takes a key and has no `x-required-scope`")),
            None if last.starts_with("Requires the scope") => faults.push(format!("{place} takes no key: {last:?}")),
            _ => {}
        }
    }
    faults
}
