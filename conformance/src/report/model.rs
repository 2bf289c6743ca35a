//! The machine-readable report, versioned; its JSON Schema is printed by `schema --report`.
//!
//! Filling it is done in `from_run`, turning it into files in the files of their names.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::coverage::CoverageReport;
use super::evidence::ExchangeReport;
use super::latency::LatencyReport;
use super::received::HookReport;
use crate::check::Level;
use crate::inbox::HookLatency;
use crate::spec::Profile;

/// Version of this format; it grows when a member changes its meaning or goes.
pub(super) const FORMAT: u32 = 1;

/// Everything a run found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Report {
    /// Version of this format.
    pub format: u32,
    /// Version of the suite.
    pub suite_version: String,
    /// `info.version` of the document that was demanded.
    pub document_version: String,
    /// SHA-256 of that document.
    pub document_sha256: String,
    /// Who vouches for the target, as the configuration says.
    pub about: About,
    /// What was tested.
    pub target: TargetReport,
    /// What was demanded.
    pub profile: Profile,
    /// Seed of every case.
    pub seed: u64,
    /// Cases of a searched requirement.
    pub cases: u32,
    /// Start, in Unix seconds.
    pub started_unix: i64,
    /// Wall-clock time in milliseconds.
    pub duration_ms: u64,
    /// Exchanges with the target.
    pub exchanges: u64,
    /// How long hooks were on their way, from the lead form to the receiver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hook_latency: Option<HookLatency>,
    /// The verdict.
    pub conclusion: Conclusion,
    /// Whether the whole profile was asked for: without `--only`, `--skip`, `--failed-only` and `--shard`.
    pub is_whole: bool,
    /// How many requirements ended how.
    pub summary: Summary,
    /// Remarks about the set-up, one sentence each.
    pub notes: Vec<String>,
    /// A command that repeats the run.
    pub repeat: String,
    /// What to mend first, the worst first.
    pub fix_first: Vec<FixFirst>,
    /// How long answers took, by operation.
    pub latency: Vec<LatencyReport>,
    /// How much of the document the run met, and why not the rest.
    pub coverage: CoverageReport,
    /// Every requirement, in the order of ids.
    pub requirements: Vec<RequirementReport>,
}

/// Who vouches for the target.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct About {
    /// Who makes or runs the target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organisation: Option<String>,
    /// Where to ask about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact: Option<String>,
}

/// What was tested.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TargetReport {
    /// Base URL.
    pub base_url: String,
    /// The website under test.
    pub website_id: String,
    /// What it offers and what the set-up declares.
    pub capabilities: Vec<String>,
}

/// The verdict on the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Conclusion {
    /// Everything that ran holds, and everything ran.
    Conformant,
    /// Everything that ran holds or is known, but some requirements were not asked for, skipped, not decided, or are
    /// known to fail.
    PartiallyConformant,
    /// A `Must` is broken, or the list of known failures is out of date.
    NotConformant,
    /// The suite's own set-up broke for some requirements.
    SetUpFailed,
    /// No requirement was decided.
    NothingRan,
}

/// How many requirements ended how.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct Summary {
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

impl Summary {
    /// Every number with the word for it, in the order in which people read them.
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

/// How one requirement ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Held.
    Passed,
    /// A `Must` is broken, or the list of known failures is out of date.
    Failed,
    /// A `Should` is broken.
    Warned,
    /// Broken once, and held when it was repeated.
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
    /// The word that programs read, as in `report.json`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Inconclusive => "inconclusive",
            other => other.word(),
        }
    }

    /// The word that people read.
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
    /// The sentence that was checked.
    pub clause: String,
    /// Where it stands.
    pub source: String,
    /// What breaking it means.
    pub level: Level,
    /// How it ended.
    pub status: Status,
    /// Why it was skipped, not decided, could not run or is known to fail; or what is wrong with its entry among the
    /// known failures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What broke it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureReport>,
    /// Cases that ran.
    pub cases: u32,
    /// Wall-clock time in milliseconds.
    pub duration_ms: u64,
    /// Requests that were charged to a quota of the key under test or of the suite's address, by the quota's name.
    pub requests: BTreeMap<String, u64>,
}

/// The smallest case that was found to break a clause; secrets are masked by value.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FailureReport {
    /// What was demanded, cut to 4 KiB.
    pub expected: String,
    /// What was seen, cut to 4 KiB.
    pub observed: String,
    /// The case; `null` for scenarios without input.
    pub case: Value,
    /// Index of the case that failed first.
    pub case_index: u32,
    /// How often it was made smaller.
    pub shrink_steps: u32,
    /// The requirement whose case showed it, when this one observes the exchanges of others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown_by: Option<String>,
    /// How many exchanges the smallest case made.
    pub exchange_count: usize,
    /// At most 12 of them, in order: the last ones and the decisive one.
    pub exchanges: Vec<ExchangeReport>,
    /// How many hooks of the smallest case arrived, when the requirement is about hooks.
    pub hook_count: usize,
    /// At most 12 of them, in order: the first and the last ones.
    pub hooks: Vec<HookReport>,
    /// A command that repeats it.
    pub repeat: String,
}

impl FailureReport {
    /// The exchange to look at first.
    pub fn decisive(&self) -> Option<&ExchangeReport> {
        self.exchanges.iter().find(|exchange| exchange.is_decisive)
    }
}

/// Why an entry stands where it stands; the first is the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Urgency {
    /// No usable HTTP answer: whatever depends on it cannot be judged.
    NoAnswer,
    /// Keys or the data of other accounts are not safe.
    Security,
    /// A documented fact is broken: every client feels it.
    Documented,
    /// A `Must` of the full contract is broken.
    Contract,
    /// The list of known failures is out of date.
    KnownFailures,
    /// A `Should` is broken.
    Advice,
}

/// One thing to mend.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FixFirst {
    /// Why it stands here.
    pub urgency: Urgency,
    /// The clause of the first requirement, a whole sentence: it names what `demanded` is said of.
    pub clause: String,
    /// What must be true afterwards.
    pub demanded: String,
    /// Every requirement that it breaks.
    pub requirements: Vec<String>,
}
