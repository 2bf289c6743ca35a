//! One fault or variant that was tried, and what became of it.
//!
//! How it is tried is in `attempt`.

use contentgen_faults::catalogue::{Fault, Kind};
use serde::{Deserialize, Serialize};

/// What became of a fault or a variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A requirement that must notice it did.
    Caught,
    /// Only requirements noticed it that were not named.
    CaughtByOthers,
    /// Nothing noticed it.
    Survived,
    /// This set-up cannot show it, for the reason in the remark.
    Skipped,
    /// A correct variant passed.
    Passed,
    /// A correct variant was blamed.
    Blamed,
    /// The server could not be tried.
    Broken,
}

impl Verdict {
    /// Whether the suite did what it should.
    pub fn is_good(&self) -> bool {
        matches!(self, Self::Caught | Self::Skipped | Self::Passed)
    }
}

/// One fault or variant, tried.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Trial {
    /// Its name.
    pub name: String,
    /// The part of the contract that it is about.
    pub area: String,
    /// What the server does.
    pub description: String,
    /// The requirements that must notice it; none for a variant that is correct.
    pub expected: Vec<String>,
    /// The requirements that failed, or warned.
    pub caught_by: Vec<String>,
    /// What became of it.
    pub verdict: Verdict,
    /// Why, where that is not plain: what was seen, or the reason of the declaration.
    pub remark: Option<String>,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

impl Trial {
    /// One that nothing is known of but its verdict.
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
