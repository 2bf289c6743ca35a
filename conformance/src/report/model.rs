//! The machine-readable report, versioned; its JSON Schema is printed by `schema`.
//!
//! Turning it into files lives in `json` and `junit`.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::evidence::{self, ExchangeReport};
use crate::requirements::{Level, Secrets};
use crate::runner::{Failure, Outcome, RequirementResult, Run};
use crate::spec::Profile;

/// Version of this format; it grows when a member changes its meaning or goes.
const FORMAT: u32 = 1;

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
    /// What was tested.
    pub target: TargetReport,
    /// What was demanded.
    pub profile: Profile,
    /// Seed of every case.
    pub seed: u64,
    /// Start, in Unix seconds.
    pub started_unix: i64,
    /// Wall-clock time in milliseconds.
    pub duration_ms: u64,
    /// Exchanges with the target.
    pub exchanges: u64,
    /// The verdict.
    pub conclusion: Conclusion,
    /// How many requirements ended how.
    pub summary: Summary,
    /// Every requirement, in the order of ids.
    pub requirements: Vec<RequirementReport>,
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
    /// Everything that ran holds, but some requirements were skipped or not decided.
    PartiallyConformant,
    /// A `Must` is broken.
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

/// How one requirement ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Held.
    Passed,
    /// A `Must` is broken.
    Failed,
    /// A `Should` is broken.
    Warned,
    /// Not run.
    Skipped,
    /// Not decided.
    Inconclusive,
    /// Broken set-up.
    Error,
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
    /// Why it was skipped, not decided, or could not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What broke it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureReport>,
    /// Cases that ran.
    pub cases: u32,
    /// Wall-clock time in milliseconds.
    pub duration_ms: u64,
}

/// The smallest case that was found to break a clause; secrets are masked by value.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FailureReport {
    /// What was demanded.
    pub expected: String,
    /// What was seen.
    pub observed: String,
    /// The case; `null` for scenarios without input.
    pub case: Value,
    /// Index of the case that failed first.
    pub case_index: u32,
    /// How often it was made smaller.
    pub shrink_steps: u32,
    /// The exchanges of the smallest case.
    pub exchanges: Vec<ExchangeReport>,
    /// A command that repeats it.
    pub repeat: String,
}

impl Report {
    /// The report of a finished run.
    pub fn new(run: &Run) -> Self {
        let verdicts = run.verdicts();
        let summary = Summary {
            passed: verdicts.passed,
            failed: verdicts.failed,
            warned: verdicts.warned,
            skipped: verdicts.skipped,
            inconclusive: verdicts.inconclusive,
            errors: verdicts.errors,
        };
        Self {
            format: FORMAT,
            suite_version: env!("CARGO_PKG_VERSION").to_owned(),
            document_version: run.document_version.clone(),
            document_sha256: run.document_digest.clone(),
            target: TargetReport {
                base_url: run.facts.base_url.clone(),
                website_id: run.facts.website_id.clone(),
                capabilities: run.facts.capabilities.iter().map(ToString::to_string).collect(),
            },
            profile: run.profile,
            seed: run.seed,
            started_unix: run.started,
            duration_ms: milliseconds(run.duration),
            exchanges: run.exchanges,
            conclusion: conclusion(&summary),
            summary,
            requirements: run.results.iter().map(|result| requirement(run, result)).collect(),
        }
    }
}

fn conclusion(summary: &Summary) -> Conclusion {
    if summary.failed > 0 {
        Conclusion::NotConformant
    } else if summary.errors > 0 {
        Conclusion::SetUpFailed
    } else if summary.passed + summary.warned == 0 {
        Conclusion::NothingRan
    } else if summary.skipped + summary.inconclusive > 0 {
        Conclusion::PartiallyConformant
    } else {
        Conclusion::Conformant
    }
}

fn requirement(run: &Run, result: &RequirementResult) -> RequirementReport {
    let (status, reason, broken) = match &result.outcome {
        Outcome::Passed => (Status::Passed, None, None),
        Outcome::Failed(broken) if result.is_failure() => (Status::Failed, None, Some(broken)),
        Outcome::Failed(broken) => (Status::Warned, None, Some(broken)),
        Outcome::Skipped(reason) => (Status::Skipped, Some(reason), None),
        Outcome::Inconclusive(reason) => (Status::Inconclusive, Some(reason), None),
        Outcome::Error(reason) => (Status::Error, Some(reason), None),
    };
    let secrets = &run.facts.secrets;
    RequirementReport {
        id: result.requirement.id.to_owned(),
        clause: result.requirement.clause.to_owned(),
        source: result.requirement.source.to_owned(),
        level: result.requirement.level,
        status,
        reason: reason.map(|reason| secrets.mask(reason)),
        failure: broken.map(|broken| failure(run, result.requirement.id, broken, secrets)),
        cases: result.cases,
        duration_ms: milliseconds(result.duration),
    }
}

fn failure(run: &Run, id: &str, broken: &Failure, secrets: &Secrets) -> FailureReport {
    FailureReport {
        expected: secrets.mask(&broken.finding.expected),
        observed: secrets.mask(&broken.finding.observed),
        case: evidence::mask(&broken.case, secrets),
        case_index: broken.case_index,
        shrink_steps: broken.shrink_steps,
        exchanges: evidence::exchanges(&run.facts.base_url, &broken.exchanges, secrets),
        repeat: format!(
            "contentgen-conformance run {} --profile {} --only {id} --seed {}",
            run.target_flag, run.profile, run.seed
        ),
    }
}

fn milliseconds(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
