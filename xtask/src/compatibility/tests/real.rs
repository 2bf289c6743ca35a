//! The judge on `openapi.yaml`, and documents that it cannot judge.

use serde_json::json;

use super::super::{Document, Kind, compare};
use super::{edited, small};

const REAL: &str = include_str!("../../../../openapi.yaml");

#[test]
fn a_document_has_not_changed_against_itself() {
    let document = Document::parse(REAL).unwrap();
    let report = compare(&document, &document);
    assert_eq!(report, super::Report::default(), "{report}");
}

/// An event refines `data` of the envelope that it is composed with.
#[test]
fn the_data_of_an_event_is_judged_by_its_own_schema() {
    let document = Document::parse(REAL).unwrap();
    let mut root = document.root().clone();
    let place = "/components/schemas/ArticlePublishedData/properties/scheduled_post_id";
    root.pointer_mut(place).unwrap()["maxLength"] = json!(129);
    let report = compare(&document, &Document::new(root).unwrap());
    let named: Vec<_> = report.breaking.iter().map(|change| (change.kind, change.place.as_str())).collect();
    assert_eq!(named, [(Kind::BoundWidened, format!("#{place}/maxLength").as_str())]);
}

#[test]
fn every_clause_stands_in_the_policy() {
    let document = Document::parse(REAL).unwrap();
    let description = document.root()["info"]["description"].as_str().unwrap();
    let (_, policy) = description.split_once("## Versioning").expect("the document has its policy");
    let policy = policy.split_whitespace().collect::<Vec<_>>().join(" ");
    for kind in Kind::ALL {
        let clause = kind.rule().clause();
        assert!(policy.contains(clause), "{clause:?} is in the policy");
    }
}

#[test]
fn a_reference_that_leads_nowhere_is_told() {
    let broken = edited(small(), &[("/components/schemas", "State", None)]);
    let error = Document::new(broken).unwrap_err().to_string();
    assert_eq!(
        error,
        "the document refers to \"#/components/schemas/State\", which is not in it; add it, or correct the reference"
    );
    let other = Document::new(json!({ "openapi": "3.1.0" })).unwrap_err().to_string();
    assert_eq!(other, "the document is not OpenAPI 3.0; `openapi` says \"3.1.0\"");
}
