//! What became of each requirement and of the run.
//!
//! How it is shown lives in `report`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::archive::Archived;
use super::contract::OwnTexts;
use super::latency::OperationLatency;
use super::plan::LeftOut;
use super::selection::{Selection, Shard};
use super::settings::Flaky;
use super::target::KeyVariables;
use crate::check::{Exchange, Facts, Finding, Level, Origin, Requirement};
use crate::coverage::Coverage;
use crate::inbox::{HookLatency, HookRequest};
use crate::spec::Profile;

/// What became of one requirement.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// Every case held.
    Passed,
    /// A case shows that the clause is broken.
    Failed(Box<Failure>),
    /// A case broke the clause, and held when it was repeated.
    Flaky {
        /// What was broken the first time.
        failure: Box<Failure>,
        /// What came of repeating it.
        again: String,
    },
    /// A case shows that the clause is broken, and the target's owner lists it as known.
    Known {
        /// What is broken.
        failure: Box<Failure>,
        /// Why, as the owner says.
        reason: String,
    },
    /// The owner's list of known failures is out of date: it fails the run.
    Stale {
        /// What is wrong with the entry and how to mend it.
        complaint: String,
        /// What is broken, if something is.
        failure: Option<Box<Failure>>,
    },
    /// Not run, for this reason.
    Skipped(String),
    /// Not decided, for this reason.
    Inconclusive(String),
    /// The suite's own set-up broke.
    Error(String),
}

impl Outcome {
    /// What is broken, if something is.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Failed(failure) | Self::Flaky { failure, .. } | Self::Known { failure, .. } => Some(failure),
            Self::Stale { failure, .. } => failure.as_deref(),
            Self::Passed | Self::Skipped(_) | Self::Inconclusive(_) | Self::Error(_) => None,
        }
    }

    /// The same, by value.
    pub(super) fn into_failure(self) -> Option<Box<Failure>> {
        match self {
            Self::Failed(failure) | Self::Flaky { failure, .. } | Self::Known { failure, .. } => Some(failure),
            Self::Stale { failure, .. } => failure,
            Self::Passed | Self::Skipped(_) | Self::Inconclusive(_) | Self::Error(_) => None,
        }
    }
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
    /// The hooks of the smallest case, in order, when the requirement is about hooks.
    pub received: Vec<HookRequest>,
    /// The case of another requirement that showed it, when the broken one observes all exchanges.
    pub origin: Option<Arc<Origin>>,
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
    /// Requests that were charged to a quota, by its name; those of making a failure smaller included.
    pub requests: BTreeMap<String, u64>,
}

/// A finished run.
#[derive(Debug)]
pub struct Run {
    /// The profile it demanded.
    pub profile: Profile,
    /// What was asked for.
    pub selection: Selection,
    /// The part of it that was run.
    pub shard: Option<Shard>,
    /// Whether what is only recommended had to hold.
    pub strict: bool,
    /// What became of findings that were not seen again.
    pub flaky: Flaky,
    /// How often a case that failed was repeated.
    pub retries: u32,
    /// The seed of every case.
    pub seed: u64,
    /// Cases of a searched requirement.
    pub cases: u32,
    /// What is known about the target.
    pub facts: Arc<Facts>,
    /// What saved cases hold names for.
    pub own_texts: OwnTexts,
    /// The flag that names the target again.
    pub target_flag: String,
    /// The environment variables that hold the keys.
    pub key_variables: KeyVariables,
    /// The variables of the first secrets in `facts`, in their order; a hook's secret has none.
    pub secret_variables: Vec<String>,
    /// Remarks about the set-up, one sentence each.
    pub notes: Vec<String>,
    /// `info.version` of the document.
    pub document_version: String,
    /// SHA-256 of the document.
    pub document_digest: String,
    /// Unix seconds at the start.
    pub started: i64,
    /// The same moment on the monotonic clock.
    pub begun: Instant,
    /// Wall-clock time, set-up included.
    pub duration: Duration,
    /// Exchanges with the target.
    pub exchanges: u64,
    /// How long hooks were on their way, if any was measured.
    pub hook_latency: Option<HookLatency>,
    /// How long answers took, by operation.
    pub latency: Vec<OperationLatency>,
    /// How much of the document was met.
    pub coverage: Coverage,
    /// Exchanges of each requirement's first case, where the settings ask for them.
    pub archived: Archived,
    /// The requirements of the catalogue that were no part of it, by id.
    pub left_out: BTreeMap<&'static str, LeftOut>,
    /// Results in the order of ids.
    pub results: Vec<RequirementResult>,
}

/// How many requirements ended how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Verdicts {
    /// Held.
    pub passed: usize,
    /// A `Must` is broken, or the list of known failures is out of date.
    pub failed: usize,
    /// A `Should` is broken.
    pub warned: usize,
    /// Broken once, and held when it was repeated.
    pub flaky: usize,
    /// Broken, and listed as known.
    pub known: usize,
    /// Not run.
    pub skipped: usize,
    /// Not decided.
    pub inconclusive: usize,
    /// Broken set-up.
    pub errors: usize,
}

impl Failure {
    /// Whether the target left a request without a complete answer until the time-out.
    pub(super) fn is_hang(&self) -> bool {
        self.finding.is_hang()
    }

    /// Index of the exchange that shows the fault: the one that the finding names, else the last one.
    pub fn decisive(&self) -> Option<usize> {
        let named = |id| self.exchanges.iter().position(|exchange| exchange.id() == id);
        self.finding.decisive.and_then(named).or_else(|| self.exchanges.len().checked_sub(1))
    }
}

impl RequirementResult {
    /// Whether this fails the run.
    pub fn is_failure(&self) -> bool {
        match self.outcome {
            Outcome::Failed(_) => self.requirement.level == Level::Must,
            Outcome::Stale { .. } => true,
            _ => false,
        }
    }
}

impl Run {
    /// Counts the results.
    pub fn verdicts(&self) -> Verdicts {
        let mut verdicts = Verdicts::default();
        for result in &self.results {
            let count = match &result.outcome {
                Outcome::Passed => &mut verdicts.passed,
                Outcome::Failed(_) if !result.is_failure() => &mut verdicts.warned,
                Outcome::Failed(_) | Outcome::Stale { .. } => &mut verdicts.failed,
                Outcome::Flaky { .. } => &mut verdicts.flaky,
                Outcome::Known { .. } => &mut verdicts.known,
                Outcome::Skipped(_) => &mut verdicts.skipped,
                Outcome::Inconclusive(_) => &mut verdicts.inconclusive,
                Outcome::Error(_) => &mut verdicts.errors,
            };
            *count += 1;
        }
        verdicts
    }
}
