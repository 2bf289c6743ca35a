//! Tests of the trial: it passes allowed changes, and detects changes that break programs.

use std::collections::BTreeSet;

use rand::RngExt as _;
use serde_json::{Value, json};
use xtask::compatibility::{Document, Kind};
use xtask::composition::compose;

use super::additions::AdditionKind;
use super::evolution::Evolution;
use super::kept::{self, New};
use super::sampler::Known;
use super::trial::{self, Trial};
use super::verdict::{Failing, Verdict};

const DOCUMENT: &str = include_str!("../../../openapi.yaml");
/// Number of allowed evolutions: each kind is the first change of one or two.
const EVOLUTIONS: u64 = 20;

fn trial() -> Trial {
    let seed = rand::rng().random_range(0..1_000_000);
    trial::on_this_thread(Trial::new(DOCUMENT, seed, None)).expect("the trial can be set up")
}

fn today() -> Value {
    let mut root = Document::parse(DOCUMENT).expect("the document can be compared").root().clone();
    compose(&mut root);
    root
}

/// Runs the SDK against a server whose document has a value inserted, and returns the verdict.
fn verdict_on(pointer: &str, name: &str, value: Value) -> Verdict {
    let mut document = today();
    let holder = document.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} is in the document"));
    match holder {
        Value::Array(items) => items.push(value),
        holder => holder[name] = value,
    }
    let evolution = Evolution { number: 0, document, changes: Vec::new() };
    trial::on_this_thread(trial().run(&evolution)).expect("the evolution can be tried")
}

#[test]
fn the_sdk_reads_every_allowed_evolution_and_the_judge_agrees() {
    let trial = trial();
    let numbers: Vec<u64> = (0..EVOLUTIONS).collect();
    let tried = trial.allowed(&numbers, 2, |_| {}).expect("the evolutions can be tried");
    assert_eq!(tried.len(), numbers.len());
    let mut whole = Verdict::default();
    for outcome in tried {
        let (evolution, failures) = (outcome.evolution, &outcome.verdict.failures);
        assert!(failures.is_empty(), "seed {}: {failures:?}\n{:?}", trial.seed, evolution.changes);
        whole.add(outcome.verdict);
    }
    // Without anything new, the trial would have tested nothing.
    let is_new = whole.new.members > 0 && whole.new.values > 0 && whole.hooks > numbers.len() * 4;
    assert!(is_new && whole.calls > numbers.len() * 20, "seed {}: {whole:?}", trial.seed);
}

#[test]
fn every_kind_of_allowed_change_has_a_place_in_the_document() {
    let trial = trial();
    let kinds = u64::try_from(AdditionKind::ALL.len()).expect("there are few kinds");
    let evolutions = (0..kinds * 2).map(|number| Evolution::allowed(&today(), trial.seed, number).expect("it is made"));
    let made: BTreeSet<AdditionKind> =
        evolutions.flat_map(|evolution| evolution.changes.into_iter().map(|change| change.kind)).collect();
    let missing: Vec<&AdditionKind> = AdditionKind::ALL.iter().filter(|kind| !made.contains(kind)).collect();
    assert!(missing.is_empty(), "seed {}: {missing:?}", trial.seed);
}

#[test]
fn the_judge_names_every_kind_of_forbidden_change() {
    let trial = trial();
    let mut made = BTreeSet::new();
    for number in 0..u64::try_from(Kind::ALL.len()).expect("there are few kinds") {
        let judged = trial.forbidden(number).expect("the change can be made");
        let failures = &judged.verdict.failures;
        assert!(failures.is_empty(), "seed {} number {number}: {failures:?}", trial.seed);
        made.insert(judged.evolution.change.kind);
    }
    assert_eq!(made.len(), Kind::ALL.len());
}

#[test]
fn a_call_that_lacks_what_became_required_fails() {
    let verdict = verdict_on("/components/schemas/GenerateRequest/required", "", json!("keywords"));
    assert!(verdict.count(Failing::Call) > 0, "{verdict:?}");
    let parameter = json!({ "name": "view", "in": "query", "required": true, "schema": { "type": "string" } });
    let verdict = verdict_on("/paths/~1api~1v1~1websites/get/parameters", "", parameter);
    assert!(verdict.count(Failing::Call) > 0, "{verdict:?}");
}

#[test]
fn an_answer_that_cannot_be_read_fails() {
    let verdict = verdict_on("/components/schemas/Job/properties/attempts", "type", json!("boolean"));
    assert!(verdict.count(Failing::Call) > 0, "{verdict:?}");
}

/// The two documented operations treat unreadable values as absent, so no call fails; the value is lost nevertheless.
#[test]
fn a_value_that_was_taken_as_absent_is_noticed() {
    let verdict = verdict_on("/components/schemas/Article/properties/word_count", "type", json!("boolean"));
    assert_eq!(verdict.count(Failing::Call), 0, "{verdict:?}");
    assert!(verdict.count(Failing::Value) > 0, "{verdict:?}");
}

#[test]
fn a_hook_that_cannot_be_read_is_noticed() {
    let hook = json!({ "type": "boolean", "example": true });
    let verdict = verdict_on("/components/schemas/JobFailedEvent/properties", "api_version", hook);
    assert!(verdict.count(Failing::Hook) > 0, "{verdict:?}");
}

#[test]
fn what_is_not_kept_is_told_with_its_place() {
    let known = Known::of(&today());
    let sent = json!({ "status": "queued", "new": null, "created_at": "2026-11-02T08:00:00.000Z", "metadata": {} });
    let kept = json!({ "status": "queued", "new": null, "created_at": "2026-11-02T08:00:00Z" });
    assert_eq!(kept::lost(&sent, &kept, &known, &mut New::default()), Vec::<String>::new());
    let other = json!({ "status": "failed", "created_at": "2026-11-02T08:00:01Z" });
    let lost = kept::lost(&sent, &other, &known, &mut New::default());
    let places: BTreeSet<&str> = lost.iter().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(places, BTreeSet::from(["/status", "/new", "/created_at"]), "{lost:?}");
}
