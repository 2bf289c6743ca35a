//! What a comparison found, and how it reads for people and programs.

use std::fmt;

use serde_json::{Value, json};

use super::kind::Kind;

/// A change that clients of the old document can fail at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BreakingChange {
    /// Where it stands: a JSON pointer into the old document, or into the new one where the old one has nothing there.
    pub place: String,
    /// What kind of change it is.
    pub kind: Kind,
    /// What was, and what is now.
    pub what: String,
}

/// A change that the policy allows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Addition {
    /// Where it stands, as a JSON pointer.
    pub place: String,
    /// What is new.
    pub what: String,
}

/// Everything that differs between two documents, as far as clients can tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What breaks the policy.
    pub breaking: Vec<BreakingChange>,
    /// What the policy allows.
    pub additions: Vec<Addition>,
}

impl Report {
    /// Whether a change breaks the policy.
    pub fn is_breaking(&self) -> bool {
        !self.breaking.is_empty()
    }

    /// The report for programs.
    pub fn to_json(&self) -> Value {
        let breaking = self.breaking.iter().map(|change| {
            let kind = change.kind;
            json!({
                "place": change.place, "kind": kind.name(), "what": change.what,
                "clause": kind.rule().clause(), "advice": kind.advice(),
            })
        });
        let additions = self.additions.iter().map(|addition| json!({ "place": addition.place, "what": addition.what }));
        json!({ "breaking": breaking.collect::<Vec<_>>(), "additions": additions.collect::<Vec<_>>() })
    }

    /// Sorts the findings, and leaves out those that were met on several ways.
    pub(super) fn in_order(mut self) -> Self {
        self.breaking.sort();
        self.breaking.dedup();
        self.additions.sort();
        self.additions.dedup();
        self
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for BreakingChange { place, kind, what } in &self.breaking {
            writeln!(formatter, "breaking {kind}: {place}\n    {what}")?;
            writeln!(formatter, "    The policy says: \"{}\".\n    {}", kind.rule().clause(), kind.advice())?;
        }
        for Addition { place, what } in &self.additions {
            writeln!(formatter, "allowed {place}: {what}")?;
        }
        writeln!(formatter, "{} breaking, {} allowed", self.breaking.len(), self.additions.len())
    }
}
