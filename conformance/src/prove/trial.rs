//! The result of one fault or variant.
//!
//! `attempt` tries it.

use contentgen_faults::catalogue::{Fault, Kind};
use serde::{Deserialize, Serialize};

/// Result of a fault or a variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A requirement that must notice it did.
    Caught,
    /// Only requirements noticed it that are not listed in `expected`.
    CaughtByOthers,
    /// No requirement noticed it.
    Survived,
    /// This set-up cannot show it, for the reason in the remark.
    Skipped,
    /// A correct variant passed.
    Passed,
    /// A correct variant failed.
    Blamed,
    /// The server could not be tried.
    Broken,
}

impl Verdict {
    /// Returns true if the suite was right.
    pub fn is_good(&self) -> bool {
        matches!(self, Self::Caught | Self::Skipped | Self::Passed)
    }
}

/// One tried fault or variant.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Trial {
    /// Its name.
    pub name: String,
    /// The part of the contract that it affects.
    pub area: String,
    /// Behaviour of the server.
    pub description: String,
    /// The requirements that must notice it; empty for a correct variant.
    pub expected: Vec<String>,
    /// The requirements that failed, or warned.
    pub caught_by: Vec<String>,
    /// The result.
    pub verdict: Verdict,
    /// The explanation, if needed: the finding, or the reason of the declaration.
    pub remark: Option<String>,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

impl Trial {
    /// Returns a trial with only a verdict.
    pub(super) fn new(fault: Fault, verdict: Verdict, remark: Option<String>) -> Self {
        let named = if let Kind::Broken(named) = fault.kind { named } else { &[] };
        Self {
            name: fault.name.to_owned(),
            area: fault.area().to_owned(),
            description: fault.description.to_owned(),
            expected: named.iter().map(ToString::to_string).collect(),
            caught_by: Vec::new(),
            verdict,
            remark,
            seconds: 0.0,
        }
    }
}
