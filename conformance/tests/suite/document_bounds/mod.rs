//! The document decides: a change to one of its bounds changes a check.
//!
//! The test declares no bounds. It changes every bound in memory, one at a time. Then some requirement must draw another case, or judge a
//! response or a webhook differently.

mod answers;
mod bounds;
mod evidence;
mod exceptions;

use std::collections::BTreeSet;

use contentgen_conformance::spec::Document;
use serde_json::Value;

use bounds::Bound;
use evidence::Evidence;
use exceptions::{TWINS, UNSEEN};

fn document() -> Value {
    serde_saphyr::from_str(Document::embedded_text()).unwrap()
}

/// Removes text for people. No check uses it, and the test reads hundreds of copies of the document.
fn remove_prose(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|name, member| !(["description", "summary"].contains(&name.as_str()) && member.is_string()));
            members.values_mut().for_each(remove_prose);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_prose),
        _ => {}
    }
}

#[test]
fn every_bound_of_the_document_decides_what_is_checked() {
    let mut document = document();
    remove_prose(&mut document);
    let bounds = bounds::all(&document);
    assert!(bounds.len() > 500, "only {} bounds are found", bounds.len());
    let evidence = Evidence::of(&document);
    let unseen = unseen(&document, &bounds, &evidence);
    let excused: BTreeSet<String> = UNSEEN.iter().chain(TWINS).map(|(pointer, _)| (*pointer).to_owned()).collect();
    let missing: Vec<_> = unseen.difference(&excused).collect();
    assert!(missing.is_empty(), "these {} bounds decide nothing: {missing:#?}", missing.len());
    let stale: Vec<_> = excused.difference(&unseen).collect();
    assert!(stale.is_empty(), "these bounds decide something by now, or are gone: {stale:#?}");
}

/// Returns the bounds whose change makes no difference.
fn unseen(document: &Value, bounds: &[Bound], evidence: &Evidence) -> BTreeSet<String> {
    let decides = |bound: &&Bound| bound.edited(document).any(|edited| evidence.differs(&bound.pointer, edited));
    let undecided = bounds.iter().filter(|bound| !decides(bound));
    undecided.map(|bound| bound.pointer.clone()).collect()
}

#[test]
fn limits_that_are_told_twice_are_the_same() {
    let document = document();
    for (limit, bound) in TWINS {
        let (told, used) = (document.pointer(limit), document.pointer(bound));
        assert!(told.is_some() && told == used, "{limit} is {told:?}, {bound} is {used:?}");
    }
}

#[test]
fn an_edited_document_has_a_digest_of_its_own() {
    let (document, mut edited) = (document(), document());
    edited["x-limits"]["page_size"]["maximum"] = Value::from(99);
    let digest = |value: Value| {
        Document::from_value(value, contentgen_conformance::spec::Profile::Full).unwrap().digest().to_owned()
    };
    assert_ne!(digest(document), digest(edited));
}
