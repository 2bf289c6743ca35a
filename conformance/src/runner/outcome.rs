//! What became of each requirement and of the run.
//!
//! How it is shown lives in `report`.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::requirements::{Exchange, Facts, Finding, Level, Requirement};
use crate::spec::Profile;

/// What became of one requirement.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// Every case held.
    Passed,
    /// A case shows that the clause is broken.
    Failed(Box<Failure>),
    /// Not run, for this reason.
    Skipped(String),
    /// Not decided, for this reason.
    Inconclusive(String),
    /// The suite's own set-up broke.
    Error(String),
}

/// The smallest case that was found to break a clause.
#[derive(Debug, Clone)]
pub struct Failure {
    /// What was demanded and seen.
    pub finding: Finding,
    /// Index of the case that failed first.
    pub case_index: u32,
    /// The case after shrinking; `null` for scenarios without input.
    pub case: Value,
    /// How often it was made smaller.
    pub shrink_steps: u32,
    /// The exchanges of the smallest case, in order.
    pub exchanges: Vec<Arc<Exchange>>,
}

/// One requirement's result.
#[derive(Debug, Clone)]
pub struct RequirementResult {
    /// Which.
    pub requirement: Arc<Requirement>,
    /// What became of it.
    pub outcome: Outcome,
    /// Cases that ran, shrinking not counted.
    pub cases: u32,
    /// Wall-clock time.
    pub duration: Duration,
}

/// A finished run.
#[derive(Debug)]
pub struct Run {
    /// The profile it demanded.
    pub profile: Profile,
    /// The seed of every case.
    pub seed: u64,
    /// What is known about the target.
    pub facts: Arc<Facts>,
    /// The flag that names the target again.
    pub target_flag: String,
    /// `info.version` of the document.
    pub document_version: String,
    /// SHA-256 of the document.
    pub document_digest: String,
    /// Unix seconds at the start.
    pub started: i64,
    /// Wall-clock time, set-up included.
    pub duration: Duration,
    /// Exchanges with the target.
    pub exchanges: u64,
    /// Results in the order of ids.
    pub results: Vec<RequirementResult>,
}

/// How many requirements ended how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Verdicts {
    /// Held.
    pub passed: usize,
    /// A `Must` is broken.
    pub failed: usize,
    /// A `Should` is broken.
    pub warned: usize,
    /// Not run.
    pub skipped: usize,
    /// Not decided.
    pub inconclusive: usize,
    /// Broken set-up.
    pub errors: usize,
}

impl RequirementResult {
    /// Whether this breaks a `Must`.
    pub fn is_failure(&self) -> bool {
        matches!(self.outcome, Outcome::Failed(_)) && self.requirement.level == Level::Must
    }
}

impl Run {
    /// Counts the results.
    pub fn verdicts(&self) -> Verdicts {
        let mut verdicts = Verdicts::default();
        for result in &self.results {
            let count = match &result.outcome {
                Outcome::Passed => &mut verdicts.passed,
                Outcome::Failed(_) if result.is_failure() => &mut verdicts.failed,
                Outcome::Failed(_) => &mut verdicts.warned,
                Outcome::Skipped(_) => &mut verdicts.skipped,
                Outcome::Inconclusive(_) => &mut verdicts.inconclusive,
                Outcome::Error(_) => &mut verdicts.errors,
            };
            *count += 1;
        }
        verdicts
    }
}
