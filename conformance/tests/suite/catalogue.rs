//! The catalogue as a whole: ids, clauses, sources.

use std::collections::BTreeSet;
use std::time::Duration;

use contentgen_conformance::check::{Requirement, Source};
use contentgen_conformance::contract::{Clauses, Invariant};
use contentgen_conformance::receivers::{Sender, WebhookReceiver};
use contentgen_conformance::requirements::catalogue;
use contentgen_conformance::spec::{Document, Operation, Profile, Version, sentences};
use serde_json::Value;

fn rules_for_receivers() -> Vec<Requirement> {
    let secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD".to_owned();
    let sender = Sender::new("http://127.0.0.1:1/hooks", secret, Duration::from_secs(15), None).unwrap();
    WebhookReceiver::new(sender).0.requirements()
}

#[test]
fn every_requirement_has_a_unique_id_of_three_parts_a_sentence_and_a_source() {
    let mut ids = BTreeSet::new();
    let document: Version = Document::embedded(Profile::Full).unwrap().version().parse().unwrap();
    for requirement in catalogue().into_iter().chain(rules_for_receivers()) {
        assert!(requirement.since <= document, "{} is of a later document", requirement.id);
        let parts: Vec<&str> = requirement.id.split('.').collect();
        assert_eq!(parts.len(), 3, "{}", requirement.id);
        let plain = |part: &&str| {
            part.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-')
        };
        assert!(parts.iter().all(plain), "{}", requirement.id);
        assert!(ids.insert(requirement.id), "{} twice", requirement.id);
        assert!(requirement.clause.ends_with('.') && requirement.clause.len() > 20, "{}", requirement.id);
        assert!(!requirement.sources.is_empty() && !requirement.from.is_empty(), "{}", requirement.id);
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

/// Published standards that requirements may cite.
const STANDARDS: &[&str] = &[
    "Standard Webhooks 1.0.0",
    "draft-ietf-httpapi-ratelimit-headers-11",
    "schema.org",
    "HTML Living Standard",
    "CommonMark 0.31",
];

#[test]
fn every_source_is_in_the_document_in_the_description_of_the_service_or_in_a_standard() {
    let document: Value = serde_saphyr::from_str(Document::embedded_text()).unwrap();
    let known: BTreeSet<String> = sentences(&document).into_iter().map(|sentence| sentence.text).collect();
    let facts = facts();
    let mut wrong = Vec::new();
    for requirement in catalogue().into_iter().chain(rules_for_receivers()) {
        let complaint = |source: &Source| match source {
            Source::Sentence(text) => {
                (!known.contains(*text)).then(|| format!("openapi.yaml has no sentence {text:?}"))
            }
            Source::Part(pointer) if pointer.ends_with("/description") => {
                Some(format!("quote the sentence of {pointer}"))
            }
            Source::Part(pointer) => {
                document.pointer(pointer).is_none().then(|| format!("openapi.yaml has no {pointer}"))
            }
            Source::Fact(number) => {
                (!facts.contains(*number)).then(|| format!("docs/service.md has no section {number}"))
            }
            Source::Standard(name, section) => {
                let is_rfc = name.strip_prefix("RFC ").is_some_and(|number| number.parse::<u16>().is_ok());
                (section.is_empty() || !is_rfc && !STANDARDS.contains(name)).then(|| format!("unknown standard {name}"))
            }
        };
        wrong
            .extend(requirement.sources.iter().filter_map(complaint).map(|what| format!("{}: {what}", requirement.id)));
        // The facts are about servers.
        if requirement.profile == Profile::Core && requirement.area() != "receiver" {
            let rests_on_facts = requirement.sources.iter().any(|source| matches!(source, Source::Fact(_)));
            let rests_on_http = requirement.sources.iter().all(|source| matches!(source, Source::Standard(..)));
            if !rests_on_facts && !rests_on_http {
                wrong.push(format!("{}: a core requirement needs a fact of docs/service.md", requirement.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the numbers of the sections and facts of `docs/service.md`, such as `4` and `4.2`.
fn facts() -> BTreeSet<String> {
    let mut facts = BTreeSet::new();
    let mut section = None;
    for line in include_str!("../../../docs/service.md").lines() {
        if let Some((number, _)) = line.strip_prefix("## ").and_then(|title| title.split_once(". ")) {
            section = Some(number);
            facts.insert(number.to_owned());
        } else if let (Some(section), Some((number, _))) = (section, line.split_once(". "))
            && number.parse::<u8>().is_ok()
        {
            facts.insert(format!("{section}.{number}"));
        }
    }
    facts
}

#[test]
fn the_sections_that_the_document_cites_are_in_the_description_of_the_service() {
    fn cited(node: &Value, found: &mut BTreeSet<String>) {
        match node {
            Value::Object(fields) => {
                found.extend(
                    fields
                        .get("x-source")
                        .map(|source| source.as_str().map_or_else(|| source.to_string(), str::to_owned)),
                );
                fields.values().for_each(|value| cited(value, found));
            }
            Value::Array(items) => items.iter().for_each(|item| cited(item, found)),
            _ => {}
        }
    }
    let document: Value = serde_saphyr::from_str(Document::embedded_text()).unwrap();
    let mut found = BTreeSet::new();
    cited(&document, &mut found);
    let facts = facts();
    let unknown: Vec<&String> =
        found.iter().filter(|source| source.split(", ").any(|number| !facts.contains(number))).collect();
    assert!(!found.is_empty() && unknown.is_empty(), "{unknown:?}");
}

#[test]
fn every_normative_sentence_of_the_document_is_quoted_or_listed_with_a_reason() {
    let clauses = Clauses::of_catalogue();
    let missing: Vec<String> =
        clauses.missing.iter().map(|sentence| format!("{}\n    {}", sentence.pointer, sentence.text)).collect();
    assert!(
        missing.is_empty(),
        "no requirement quotes these sentences. Quote them, or list them in conformance/src/contract/untested.toml:\n{}",
        missing.join("\n")
    );
    assert!(clauses.stale.is_empty(), "remove from untested.toml what is quoted or gone: {:#?}", clauses.stale);
    assert!(clauses.untested.iter().all(|group| group.reason.len() > 20), "each group needs a reason");
}

/// Invariants about edits and failures to publish, which no call of the API causes.
const UNTESTED_INVARIANTS: [&str; 3] = ["event-article-updated", "event-article-updated-once", "event-post-readable"];

#[test]
fn every_invariant_of_the_document_has_a_requirement() {
    let all = Invariant::all();
    assert!(all.len() > 50, "{} invariants", all.len());
    let untested: Vec<&str> = all.iter().filter(|one| one.requirements.is_empty()).map(|one| one.id.as_str()).collect();
    assert_eq!(untested, UNTESTED_INVARIANTS);
}
