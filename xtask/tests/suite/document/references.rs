//! Every reference leads somewhere, and every component is referred to.

use std::collections::BTreeSet;

use serde_json::Value;

use super::source;

#[test]
fn every_reference_resolves() {
    let document = source::document();
    for reference in references(&document) {
        let pointer = reference.strip_prefix('#').unwrap_or_else(|| panic!("{reference} leads out of the document"));
        assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
    }
}

#[test]
fn every_component_is_used() {
    let document = source::document();
    let used = references(&document);
    let components = document["components"].as_object().expect("the document has components");
    let unused: Vec<_> = components
        .iter()
        .filter(|(kind, _)| *kind != "securitySchemes")
        .flat_map(|(kind, members)| {
            members.as_object().into_iter().flatten().map(move |(name, _)| format!("#/components/{kind}/{name}"))
        })
        .filter(|reference| !used.contains(reference))
        .collect();
    assert!(unused.is_empty(), "unused: {unused:?}");
}

#[test]
fn a_reference_has_no_siblings() {
    let document = source::document();
    source::for_each_object(&document, &mut |pointer, object| {
        let is_reference = object.get("$ref").is_some_and(Value::is_string);
        assert!(!is_reference || object.len() == 1, "{pointer}: tools ignore fields beside a reference");
    });
}

/// The generator of the SDK reads the document with this crate.
#[test]
fn the_crate_openapiv3_reads_the_document_with_its_links() {
    let document: openapiv3::OpenAPI = serde_json::from_value(source::document()).expect("it reads every part");
    let responses = document.operations().flat_map(|(_, _, operation)| operation.responses.responses.values());
    let links: usize = responses.filter_map(|response| response.as_item()).map(|response| response.links.len()).sum();
    assert!(links > 10, "{links} links");
}

/// All references of the document, those of a discriminator included.
fn references(document: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    source::for_each_object(document, &mut |_, object| {
        found.extend(object.get("$ref").and_then(Value::as_str).map(str::to_owned));
        let mapping = object.get("mapping").and_then(Value::as_object).into_iter().flatten();
        found.extend(mapping.filter_map(|(_, target)| target.as_str()).map(str::to_owned));
    });
    found
}
