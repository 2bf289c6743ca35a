//! The machine-readable report, versioned; its JSON Schema is printed by `schema --report`.
//!
//! `from_run` fills it; each output format has its own file.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::choices::ChoiceReport;
use super::coverage::CoverageReport;
use super::evidence::{ExchangeReport, HookReport};
use super::latency::LatencyReport;
use crate::check::Level;
use crate::inbox::HookLatency;
use crate::runner::Verdicts;
use crate::spec::Profile;

/// Version of this format; it increases if a field changes its meaning or is removed.
pub(super) const FORMAT: u32 = 1;

/// The results of a run.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Report {
    /// Version of this format.
    pub format: u32,
    /// Version of the suite.
    pub suite_version: String,
    /// `info.version` of the tested document.
    pub document_version: String,
    /// SHA-256 of that document.
    pub document_sha256: String,
    /// The version of the document that the target declares to implement, if it declares one. Newer requirements only warn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared_version: Option<String>,
    /// The organisation responsible for the target, as configured.
    pub about: About,
    /// The target.
    pub target: TargetReport,
    /// The profile of the run.
    pub profile: Profile,
    /// Seed of every case.
    pub seed: u64,
    /// Number of cases of a searched requirement.
    pub cases: u32,
    /// Start, in Unix seconds.
    pub started_unix: i64,
    /// Wall-clock time in milliseconds.
    pub duration_ms: u64,
    /// Number of exchanges with the target.
    pub exchanges: u64,
    /// Delivery times of webhooks, from the lead form to the receiver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hook_latency: Option<HookLatency>,
    /// The verdict.
    pub conclusion: Conclusion,
    /// True if the whole profile was run: without `--only`, `--skip`, `--failed-only` and `--shard`.
    pub is_whole: bool,
    /// Number of requirements by outcome.
    pub summary: Verdicts,
    /// Remarks about the set-up, one sentence each.
    pub notes: Vec<String>,
    /// The verdict by feature, `core` first.
    pub features: Vec<FeatureReport>,
    /// A command that repeats the run.
    pub repeat: String,
    /// Faults to fix first, the worst first.
    pub fix_first: Vec<FixFirst>,
    /// Response times by operation.
    pub latency: Vec<LatencyReport>,
    /// Coverage of the document, with reasons for gaps.
    pub coverage: CoverageReport,
    /// Choices that the document leaves, with the values of the responses.
    pub choices: Vec<ChoiceReport>,
    /// Every requirement, in the order of ids.
    pub requirements: Vec<RequirementReport>,
}

/// The organisation responsible for the target.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct About {
    /// The organisation that makes or runs the target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organisation: Option<String>,
    /// Contact for questions about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact: Option<String>,
}

/// The target.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TargetReport {
    /// Base URL.
    pub base_url: String,
    /// The website under test.
    pub website_id: String,
    /// Features that it offers and the set-up declares.
    pub capabilities: Vec<String>,
}

/// The verdict on the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Conclusion {
    /// No `must` that applies is broken, and every `must` of `core` that applies holds.
    Conformant,
    /// No `must` is broken, but some were not selected or did not run, some of `core` were not decided, or some are flaky or known to fail.
    PartiallyConformant,
    /// A `Must` is broken, or the list of known failures is out of date.
    NotConformant,
    /// The suite's own set-up broke for some requirements.
    SetUpFailed,
    /// No requirement was decided.
    NothingRan,
}

/// Results of the requirements of one feature. Counts only `must` requirements that apply to this target and set-up.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FeatureReport {
    /// Name of the feature.
    pub name: String,
    /// Number of requirements that hold.
    pub passed: usize,
    /// Number of requirements that apply.
    pub applicable: usize,
    /// Number of requirements that were not decided.
    pub open: usize,
    /// The reason why none applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub absent: Option<String>,
}

/// Status of one requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// All cases passed.
    Passed,
    /// A `Must` is broken, or the list of known failures is out of date.
    Failed,
    /// A `Should` is broken.
    Warned,
    /// Broken once, and passed when it was repeated.
    Flaky,
    /// Broken, and listed as known.
    Known,
    /// Not run.
    Skipped,
    /// Not decided.
    Inconclusive,
    /// Broken set-up.
    Error,
}

impl Status {
    /// Returns the machine-readable word, as in `report.json`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Inconclusive => "inconclusive",
            other => other.word(),
        }
    }

    /// Returns the word for users.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Warned => "warned",
            Self::Flaky => "flaky",
            Self::Known => "known",
            Self::Skipped => "skipped",
            Self::Inconclusive => "open",
            Self::Error => "error",
        }
    }
}

/// One requirement.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RequirementReport {
    /// Stable id.
    pub id: String,
    /// The checked sentence.
    pub clause: String,
    /// The texts that state it, with quotations of the document.
    pub sources: Vec<String>,
    /// The first version of the document that states it.
    pub since: String,
    /// Severity of a violation. Only `should` for a requirement that is newer than the document that the target declares.
    pub level: Level,
    /// Its status.
    pub status: Status,
    /// The reason why it was skipped, was not decided, could not run or is known to fail; or the problem with its entry
    /// among the known failures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureReport>,
    /// Number of cases that ran.
    pub cases: u32,
    /// Wall-clock time in milliseconds.
    pub duration_ms: u64,
    /// Number of requests that were charged to each quota of the key under test or of the suite's address, by the quota's name.
    pub requests: BTreeMap<String, u64>,
    /// The documented responses to its cases, by operation: the status, with the code of a problem, and the number of cases that saw it.
    pub responses: BTreeMap<String, BTreeMap<String, usize>>,
}

/// The smallest case that was found to break a clause; secrets are masked by value.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FailureReport {
    /// The expected behaviour, cut to 4 KiB.
    pub expected: String,
    /// The observed behaviour, cut to 4 KiB.
    pub observed: String,
    /// The case; `null` for scenarios without input.
    pub case: Value,
    /// Index of the case that failed first.
    pub case_index: u32,
    /// Number of shrink steps.
    pub shrink_steps: u32,
    /// The requirement whose case showed it, if this one observes the exchanges of others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown_by: Option<String>,
    /// Number of exchanges of the smallest case.
    pub exchange_count: usize,
    /// At most 12 of them, in order: the last ones and the decisive one.
    pub exchanges: Vec<ExchangeReport>,
    /// Number of webhooks of the smallest case that arrived, if the requirement is about webhooks.
    pub hook_count: usize,
    /// At most 12 of them, in order: the first and the last ones.
    pub hooks: Vec<HookReport>,
    /// A command that repeats it.
    pub repeat: String,
}

impl FailureReport {
    /// Returns the exchange to check first.
    pub fn decisive(&self) -> Option<&ExchangeReport> {
        self.exchanges.iter().find(|exchange| exchange.is_decisive)
    }
}

/// The reason for the position of an entry, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Urgency {
    /// No usable HTTP response: all requirements that depend on it cannot be checked.
    NoAnswer,
    /// Keys or the data of other accounts are not safe.
    Security,
    /// A documented fact is broken, which affects every client.
    Documented,
    /// A `Must` of the full contract is broken.
    Contract,
    /// The list of known failures is out of date.
    KnownFailures,
    /// A `Should` is broken.
    Advice,
}

/// One fault to fix.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FixFirst {
    /// The reason for its position.
    pub urgency: Urgency,
    /// The clause of the first requirement, a whole sentence: it names the subject of `demanded`.
    pub clause: String,
    /// The state after the fix.
    pub demanded: String,
    /// All requirements that it breaks.
    pub requirements: Vec<String>,
}
