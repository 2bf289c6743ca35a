//! Converts a finished run to its report.

use std::collections::BTreeMap;

use super::choices::ChoiceReport;
use super::coverage::CoverageReport;
use super::evidence;
use super::fix_first::fix_first;
use super::model::{
    About, Conclusion, FORMAT, FailureReport, FeatureReport, Report, RequirementReport, Status, TargetReport,
};
use super::verdict::{CORE, features_of};
use super::visible::shell_word;
use crate::runner::{Failure, Flaky, Outcome, RequirementResult, Run, Settings, Verdicts};
use crate::spec::Profile;

impl Report {
    /// Returns the report of a finished run.
    pub fn new(run: &Run, about: About) -> Self {
        let summary = run.verdicts();
        let features = features_of(run);
        let has_ended_early = run.results.iter().any(|result| matches!(result.outcome, Outcome::Skipped(_)));
        let is_whole = run.selection.is_everything() && run.shard.is_none();
        let shard = run.shard.map(|shard| format!(" --shard {shard}")).unwrap_or_default();
        let requirements: Vec<RequirementReport> = run.results.iter().map(|result| requirement(run, result)).collect();
        let profile_of = |id: &str| {
            let result = run.results.iter().find(|result| result.requirement.id == id);
            result.map_or(Profile::Full, |result| result.requirement.profile)
        };
        Self {
            format: FORMAT,
            suite_version: env!("CARGO_PKG_VERSION").to_owned(),
            document_version: run.document_version.clone(),
            document_sha256: run.document_digest.clone(),
            declared_version: run.declared_version.map(|version| version.to_string()),
            about,
            target: TargetReport {
                base_url: run.facts.base_url.clone(),
                website_id: run.facts.website_id.clone(),
                capabilities: run.facts.capabilities.iter().map(ToString::to_string).collect(),
            },
            profile: run.profile,
            seed: run.seed,
            cases: run.cases,
            started_unix: run.started,
            duration_ms: milliseconds(run.duration),
            exchanges: run.exchanges,
            hook_latency: run.hook_latency,
            conclusion: conclusion(&summary, &features, is_whole && !has_ended_early),
            features,
            is_whole,
            summary,
            notes: run.notes.clone(),
            repeat: format!("{}{shard}", repeat(run, &run.selection.only, &run.selection.skip)),
            fix_first: fix_first(&requirements, profile_of),
            latency: run.latency.iter().map(Into::into).collect(),
            coverage: CoverageReport::of(run),
            choices: ChoiceReport::of(run),
            requirements,
        }
    }
}

/// Returns the conclusion. `is_whole` is true if all requirements of the profile ran.
fn conclusion(summary: &Verdicts, features: &[FeatureReport], is_whole: bool) -> Conclusion {
    let is_core_open = features.iter().any(|feature| feature.name == CORE && feature.open > 0);
    if summary.failed > 0 {
        Conclusion::NotConformant
    } else if summary.errors > 0 {
        Conclusion::SetUpFailed
    } else if summary.passed + summary.warned + summary.flaky + summary.known == 0 {
        Conclusion::NothingRan
    } else if !is_whole || is_core_open || summary.known + summary.flaky > 0 {
        Conclusion::PartiallyConformant
    } else {
        Conclusion::Conformant
    }
}

fn requirement(run: &Run, result: &RequirementResult) -> RequirementReport {
    let since = result.requirement.since;
    let newer = run
        .declared_version
        .filter(|declared| since > *declared)
        .map(|declared| format!("stated since document {since}, and the target declares {declared}"));
    let (status, reason) = match &result.outcome {
        Outcome::Passed => (Status::Passed, None),
        Outcome::Failed(_) if result.is_failure() => (Status::Failed, None),
        Outcome::Failed(_) => (Status::Warned, newer.as_ref()),
        Outcome::Flaky { again, .. } => (Status::Flaky, Some(again)),
        Outcome::Known { reason, .. } => (Status::Known, Some(reason)),
        Outcome::Stale { complaint, .. } => (Status::Failed, Some(complaint)),
        Outcome::NotApplicable(reason) | Outcome::Skipped(reason) => (Status::Skipped, Some(reason)),
        Outcome::Inconclusive(reason) => (Status::Inconclusive, Some(reason)),
        Outcome::Error(reason) => (Status::Error, Some(reason)),
    };
    RequirementReport {
        id: result.requirement.id.to_owned(),
        clause: result.requirement.clause.to_owned(),
        sources: result.requirement.sources.iter().map(ToString::to_string).collect(),
        since: result.requirement.since.to_string(),
        level: result.requirement.level,
        status,
        reason: reason.map(|reason| run.facts.secrets.mask(reason)),
        failure: result.outcome.failure().map(|failure| broken(run, result.requirement.id, failure)),
        cases: result.cases,
        duration_ms: milliseconds(result.duration),
        requests: result.requests.iter().map(|(quota, count)| (run.facts.secrets.mask(quota), *count)).collect(),
        responses: responses(run, result),
    }
}

fn responses(run: &Run, result: &RequirementResult) -> BTreeMap<String, BTreeMap<String, usize>> {
    let masked = |(response, cases): (&String, &usize)| (run.facts.secrets.mask(response), *cases);
    let responses = result.responses.iter();
    responses.map(|(operation, seen)| ((*operation).to_owned(), seen.iter().map(masked).collect())).collect()
}

fn broken(run: &Run, id: &str, failure: &Failure) -> FailureReport {
    let secrets = &run.facts.secrets;
    let shown_by = failure.origin.as_ref().map(|origin| origin.requirement).filter(|shown_by| *shown_by != id);
    FailureReport {
        expected: evidence::cut_text(&secrets.mask(&failure.finding.expected)),
        observed: evidence::cut_text(&secrets.mask(&failure.finding.observed)),
        case: evidence::mask(&failure.case, secrets),
        case_index: failure.case_index,
        shrink_steps: failure.shrink_steps,
        shown_by: shown_by.map(ToOwned::to_owned),
        exchange_count: failure.exchanges.len(),
        exchanges: evidence::exchanges(run, failure),
        hook_count: failure.received.len(),
        hooks: evidence::hooks(run, failure),
        repeat: repeat(run, [id].into_iter().chain(shown_by), NOTHING),
    }
}

impl Report {
    /// Returns the number of requirements of `core` that were not decided.
    pub(super) fn open_in_core(&self) -> usize {
        self.features.iter().filter(|feature| feature.name == CORE).map(|feature| feature.open).sum()
    }
}

/// No patterns.
const NOTHING: [&str; 0] = [];

/// Returns the command that repeats the run, or only a part of it. A requirement that observes needs the exchanges of
/// the one that showed the fault.
fn repeat<Only, Skip>(run: &Run, only: Only, skip: Skip) -> String
where
    Only: IntoIterator<Item: AsRef<str>>,
    Skip: IntoIterator<Item: AsRef<str>>,
{
    let mut command = format!("contentgen-conformance {} {} --profile {}", run.command, run.target_flag, run.profile);
    for pattern in only {
        command = format!("{command} --only {}", shell_word(pattern.as_ref()));
    }
    for pattern in skip {
        command = format!("{command} --skip {}", shell_word(pattern.as_ref()));
    }
    if run.cases != Settings::default().cases {
        command = format!("{command} --cases {}", run.cases);
    }
    let strictness = match run.flaky {
        _ if run.strict => " --strict",
        Flaky::Fail => " --flaky fail",
        Flaky::Warn => "",
    };
    if run.retries != Settings::default().retries {
        command = format!("{command} --retries {}", run.retries);
    }
    format!("{command}{strictness} --seed {}", run.seed)
}

fn milliseconds(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
