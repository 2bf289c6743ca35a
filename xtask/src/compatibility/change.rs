//! The findings of a comparison, and their form for people and programs.

use std::fmt;

use serde_json::{Value, json};

use super::kind::Kind;

/// A change that can break clients of the old document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BreakingChange {
    /// JSON pointer into the old document, or into the new one if the old one has nothing there.
    pub place: String,
    /// Kind of the change.
    pub kind: Kind,
    /// Description of the old and the new state.
    pub what: String,
}

/// A change that the policy allows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Addition {
    /// JSON pointer of the change.
    pub place: String,
    /// Description of the addition.
    pub what: String,
}

/// All differences between two documents that clients can notice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Changes that break the policy.
    pub breaking: Vec<BreakingChange>,
    /// Changes that the policy allows.
    pub additions: Vec<Addition>,
}

impl Report {
    /// Returns true if a change breaks the policy.
    pub fn is_breaking(&self) -> bool {
        !self.breaking.is_empty()
    }

    /// Returns the report as JSON, for programs.
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

    /// Sorts the findings and removes duplicates.
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
