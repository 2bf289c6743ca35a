//! The comparison of two documents, with its shared state.

use std::collections::BTreeSet;

use super::change::{Addition, BreakingChange, Report};
use super::document::Document;
use super::kind::Kind;
use super::part::Part;

/// The sender of a value. Values that clients send may get wider; values that clients receive may get narrower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Direction {
    /// Clients send it: parameters and bodies of requests.
    Sent,
    /// Clients receive it: responses, and the requests that are hooks.
    Received,
}

/// Two documents, and the findings so far.
#[derive(Debug)]
pub(super) struct Comparison<'a> {
    pub(super) old: &'a Document,
    pub(super) new: &'a Document,
    /// The schemas already compared, by places and direction: several parts may refer to one schema, and it may refer to itself.
    pub(super) compared: BTreeSet<(String, String, Direction)>,
    /// The places of the unions that hooks carry; these may get new variants.
    pub(super) events: BTreeSet<String>,
    report: Report,
}

/// Finds all changes from `old` to `new` that can break clients, and all allowed additions.
pub fn compare(old: &Document, new: &Document) -> Report {
    let mut comparison =
        Comparison { old, new, compared: BTreeSet::new(), events: BTreeSet::new(), report: Report::default() };
    comparison.guarantees_of_the_document();
    comparison.hooks();
    comparison.paths("/paths");
    comparison.problem_codes();
    comparison.limits();
    comparison.report.in_order()
}

impl<'a> Comparison<'a> {
    /// Records a change that breaks the policy.
    pub(super) fn breaks(&mut self, kind: Kind, place: impl Into<String>, what: impl Into<String>) {
        self.report.breaking.push(BreakingChange { place: place.into(), kind, what: what.into() });
    }

    /// Records a change that the policy allows.
    pub(super) fn allows(&mut self, place: impl Into<String>, what: impl Into<String>) {
        self.report.additions.push(Addition { place: place.into(), what: what.into() });
    }

    /// Returns the parts of both documents at one pointer; a missing part is empty.
    pub(super) fn both(&self, pointer: &str) -> (Part<'a>, Part<'a>) {
        let nothing = || Part { value: &serde_json::Value::Null, place: format!("#{pointer}") };
        (self.old.part(pointer).unwrap_or_else(nothing), self.new.part(pointer).unwrap_or_else(nothing))
    }

    /// Returns two parts with their references followed.
    pub(super) fn resolved(&self, old: Part<'a>, new: Part<'a>) -> (Part<'a>, Part<'a>) {
        (self.old.resolve(old), self.new.resolve(new))
    }
}
