//! The catalogue as a whole: ids, clauses, sources.

use std::collections::BTreeSet;

use contentgen_conformance::requirements::catalogue;
use contentgen_conformance::spec::{Document, Operation, Profile};

#[test]
fn every_requirement_has_a_unique_id_of_three_parts_a_sentence_and_a_source() {
    let mut ids = BTreeSet::new();
    for requirement in catalogue() {
        let parts: Vec<&str> = requirement.id.split('.').collect();
        assert_eq!(parts.len(), 3, "{}", requirement.id);
        let plain = |part: &&str| {
            part.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-')
        };
        assert!(parts.iter().all(plain), "{}", requirement.id);
        assert!(ids.insert(requirement.id), "{} twice", requirement.id);
        assert!(requirement.clause.ends_with('.') && requirement.clause.len() > 20, "{}", requirement.id);
        assert!(!requirement.source.is_empty() && !requirement.from.is_empty(), "{}", requirement.id);
    }
}

#[test]
fn every_operation_of_the_document_that_answers_json_has_a_requirement_on_its_answers() {
    let document = Document::embedded(Profile::Full).unwrap();
    let ids: Vec<&str> = catalogue().iter().map(|requirement| requirement.id).collect();
    let answers_json = |operation: &&Operation| {
        operation.answers.iter().any(|(status, schema)| status.starts_with('2') && schema.is_some())
    };
    for operation in document.operations().iter().filter(answers_json) {
        let id = format!("answers.{}.schema", operation.id.replace('_', "-"));
        assert!(ids.contains(&id.as_str()), "{id} is missing");
    }
}

#[test]
fn the_core_profile_relaxes_the_two_documented_operations_and_nothing_else() {
    let full = Document::embedded(Profile::Full).unwrap();
    let core = Document::embedded(Profile::Core).unwrap();
    let sparse = serde_json::json!({ "job_id": "7" });
    assert!(core.accepts("QueuedJob", &sparse) && !full.accepts("QueuedJob", &sparse));
    let anything = serde_json::json!({ "text": 1 });
    assert!(core.accepts("Article", &anything) && !full.accepts("Article", &anything));
    assert!(!core.accepts("QueuedJob", &serde_json::json!({ "id": "7" })));
    assert!(!core.accepts("Job", &sparse) && !core.accepts("Lead", &anything));
    let generate = core.operation("generate").unwrap();
    assert_eq!(generate.answer_schema(201), Some("QueuedJob"));
    assert!(generate.names_status(418));
}
