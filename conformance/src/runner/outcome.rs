//! Outcomes of requirements and of the run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use tokio::time::Instant;

use super::contract::OwnTexts;
use super::latency::OperationLatency;
use super::records::Archived;
use super::selection::{LeftOut, Selection, Shard};
use super::settings::{Flaky, KnownFailure};
use super::target::{ExtraHeader, KeyVariables};
use crate::check::{Exchange, Facts, Finding, Level, Origin, Requirement};
use crate::choices::{Choice, Responses};
use crate::coverage::Coverage;
use crate::inbox::{HookLatency, HookRequest};
use crate::spec::{Profile, Version};

/// Outcome of one requirement.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// Every case passed.
    Passed,
    /// A case shows that the clause is broken.
    Failed(Box<Failure>),
    /// A case broke the clause, and passed when it was repeated.
    Flaky {
        /// The first failure.
        failure: Box<Failure>,
        /// Result of repeating it.
        again: String,
    },
    /// A case shows that the clause is broken, and the target's owner lists the failure as known.
    Known {
        /// The failure.
        failure: Box<Failure>,
        /// The reason given by the owner.
        reason: String,
    },
    /// The owner's list of known failures is out of date: it fails the run.
    Stale {
        /// A sentence that says what is wrong with the entry and how to fix it.
        complaint: String,
        /// The failure, if any.
        failure: Option<Box<Failure>>,
    },
    /// Not run, because the target or the set-up lacks what it needs.
    NotApplicable(String),
    /// Not run, because the run ended early.
    Skipped(String),
    /// Not decided, for this reason.
    Inconclusive(String),
    /// The suite's own set-up failed.
    Error(String),
}

impl Outcome {
    /// Returns the failure, if any.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Failed(failure) | Self::Flaky { failure, .. } | Self::Known { failure, .. } => Some(failure),
            Self::Stale { failure, .. } => failure.as_deref(),
            Self::Passed | Self::NotApplicable(_) | Self::Skipped(_) | Self::Inconclusive(_) | Self::Error(_) => None,
        }
    }

    /// Returns the failure by value, if any.
    pub(super) fn into_failure(self) -> Option<Box<Failure>> {
        match self {
            Self::Failed(failure) | Self::Flaky { failure, .. } | Self::Known { failure, .. } => Some(failure),
            Self::Stale { failure, .. } => failure,
            Self::Passed | Self::NotApplicable(_) | Self::Skipped(_) | Self::Inconclusive(_) | Self::Error(_) => None,
        }
    }
}

/// The smallest case that was found to break a clause.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The expected and the observed behaviour.
    pub finding: Finding,
    /// Index of the case that failed first.
    pub case_index: u32,
    /// The case after shrinking; `null` for scenarios without input.
    pub case: Value,
    /// Number of shrink steps.
    pub shrink_steps: u32,
    /// The exchanges of the smallest case, in order.
    pub exchanges: Vec<Arc<Exchange>>,
    /// The webhooks of the smallest case, in order, if the requirement is about webhooks.
    pub received: Vec<HookRequest>,
    /// The case of another requirement that showed it, if the broken requirement observes all exchanges.
    pub origin: Option<Arc<Origin>>,
}

/// One requirement's result.
#[derive(Debug, Clone)]
pub struct RequirementResult {
    /// The requirement.
    pub requirement: Arc<Requirement>,
    /// The feature that it belongs to.
    pub feature: &'static str,
    /// Its outcome.
    pub outcome: Outcome,
    /// Number of cases that ran, without shrinking.
    pub cases: u32,
    /// Wall-clock time.
    pub duration: Duration,
    /// Number of requests that were charged to each quota, by its name; includes shrinking.
    pub requests: BTreeMap<String, u64>,
    /// The documented responses to its cases.
    pub responses: Responses,
}

/// A finished run.
#[derive(Debug)]
pub struct Run {
    /// The profile of the run.
    pub profile: Profile,
    /// The selected requirements.
    pub selection: Selection,
    /// The part of the selection that was run.
    pub shard: Option<Shard>,
    /// True if `Should` requirements had to pass.
    pub strict: bool,
    /// Treatment of findings that were not seen again.
    pub flaky: Flaky,
    /// Number of times that a failed case was repeated.
    pub retries: u32,
    /// The seed of every case.
    pub seed: u64,
    /// Cases of a searched requirement.
    pub cases: u32,
    /// The known facts about the target.
    pub facts: Arc<Facts>,
    /// Texts that saved cases replace with placeholders.
    pub own_texts: OwnTexts,
    /// The command that ran it, such as `run`.
    pub command: &'static str,
    /// The flag that selects the same target again.
    pub target_flag: String,
    /// The environment variables that hold the keys.
    pub key_variables: KeyVariables,
    /// Headers that every request carried in addition to those of the suite.
    pub extra_headers: Vec<ExtraHeader>,
    /// The variables of the first secrets in `facts`, in their order; a webhook secret has none.
    pub secret_variables: Vec<String>,
    /// Remarks about the set-up, one sentence each.
    pub notes: Vec<String>,
    /// `info.version` of the document.
    pub document_version: String,
    /// SHA-256 of the document.
    pub document_digest: String,
    /// The version of the document that the target declares to implement, if it declares one.
    pub declared_version: Option<Version>,
    /// Unix seconds at the start.
    pub started: i64,
    /// Monotonic time at the start.
    pub begun: Instant,
    /// Wall-clock time, including set-up.
    pub duration: Duration,
    /// Exchanges with the target.
    pub exchanges: u64,
    /// Delivery times of webhooks, if any was measured.
    pub hook_latency: Option<HookLatency>,
    /// Response times by operation.
    pub latency: Vec<OperationLatency>,
    /// Coverage of the document.
    pub coverage: Coverage,
    /// Choices that the document leaves, with the values that responses of the run had.
    pub choices: BTreeMap<Choice, BTreeSet<String>>,
    /// Exchanges of each requirement's first case, if the settings ask for them.
    pub archived: Archived,
    /// The requirements of the catalogue that were not part of the run, by id.
    pub left_out: BTreeMap<&'static str, LeftOut>,
    /// Results in the order of ids.
    pub results: Vec<RequirementResult>,
}

/// Number of requirements by outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Summary")]
pub struct Verdicts {
    /// All cases passed.
    pub passed: usize,
    /// A `Must` is broken, or the list of known failures is out of date.
    pub failed: usize,
    /// A `Should` is broken.
    pub warned: usize,
    /// Broken once, and passed when it was repeated.
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

impl Verdicts {
    /// Returns every number with its word, in display order.
    pub const fn counts(&self) -> [(&'static str, usize); 8] {
        [
            ("passed", self.passed),
            ("failed", self.failed),
            ("warned", self.warned),
            ("flaky", self.flaky),
            ("known", self.known),
            ("skipped", self.skipped),
            ("open", self.inconclusive),
            ("errors", self.errors),
        ]
    }
}

impl Failure {
    /// Returns true if a request got no complete response before the time-out.
    pub(super) fn is_timeout(&self) -> bool {
        self.finding.is_timeout()
    }

    /// Returns the index of the exchange that shows the fault: the one that the finding names, otherwise the last one.
    pub fn decisive(&self) -> Option<usize> {
        let named = |id| self.exchanges.iter().position(|exchange| exchange.id() == id);
        self.finding.decisive.and_then(named).or_else(|| self.exchanges.len().checked_sub(1))
    }
}

impl RequirementResult {
    /// Returns true if this fails the run.
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
                Outcome::NotApplicable(_) | Outcome::Skipped(_) => &mut verdicts.skipped,
                Outcome::Inconclusive(_) => &mut verdicts.inconclusive,
                Outcome::Error(_) => &mut verdicts.errors,
            };
            *count += 1;
        }
        verdicts
    }
}

/// Rewrites `result` if it is listed as known at `now` (Unix seconds).
pub(super) fn apply_known(known: &[KnownFailure], now: i64, result: &mut RequirementResult) {
    let Some(entry) = known.iter().find(|entry| entry.id == result.requirement.id) else {
        return;
    };
    let expired = entry.expires.filter(|expires| *expires <= now);
    let outcome = std::mem::replace(&mut result.outcome, Outcome::Passed);
    result.outcome = match (outcome, expired) {
        (Outcome::Failed(failure), None) => Outcome::Known { failure, reason: entry.reason.clone() },
        (Outcome::Failed(failure), Some(since)) => Outcome::Stale {
            complaint: format!(
                "the entry in known_failures expired on {} ({}): fix the fault, or give the entry a later date",
                day(since),
                entry.reason
            ),
            failure: Some(failure),
        },
        (Outcome::Passed, _) => Outcome::Stale {
            complaint: format!(
                "an unexpected pass: the requirement passed, but known_failures lists it ({}): remove the entry",
                entry.reason
            ),
            failure: None,
        },
        (other, Some(since)) => Outcome::Stale {
            complaint: format!(
                "the entry in known_failures expired on {} ({}), and this run did not decide whether it still fails: \
                 remove the entry, or give it a later date",
                day(since),
                entry.reason
            ),
            failure: other.into_failure(),
        },
        (other, None) => other,
    };
}

/// Returns a date in UTC.
fn day(unix_seconds: i64) -> String {
    chrono::DateTime::from_timestamp(unix_seconds, 0)
        .map_or_else(|| format!("Unix second {unix_seconds}"), |time| time.format("%Y-%m-%d").to_string())
}
