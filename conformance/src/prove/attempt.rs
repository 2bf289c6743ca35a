//! Runs the suite against one server with one fault.
//!
//! `matrix` contains the result and the conclusions.

use std::time::{Duration, Instant};

use contentgen_faults::catalogue::{Fault, Kind, Profile as KeptProfile};

use super::matrix::{Trial, Verdict};
use super::origin::Spoiled;
use super::plan::Plan;
use crate::check::ArticleIdSource;
use crate::contract::ContentGeneration;
use crate::runner::{Flaky, Outcome, Run, Selection, SetUpError, Settings, Suite, Target};
use crate::spec::Profile;

/// Time limit for a job or a webhook if nothing harmful is wrong: never too short.
const HEALTHY_WITHIN: Duration = Duration::from_mins(1);
/// Time limit for a job or a webhook if a fault may delay it for ever.
const READY_WITHIN: Duration = Duration::from_secs(20);
const HOOK_WITHIN: Duration = Duration::from_secs(8);

/// Results of the runs so far.
#[derive(Default)]
struct Seen {
    caught_by: Vec<&'static str>,
    remark: Option<String>,
    is_broken: bool,
    /// True if any `Must` requirement failed.
    has_failures: bool,
    /// Number of exchanges and deliveries that the fault changed.
    spoiled: u64,
    /// The reason why the fault cannot be shown.
    skipped: Option<String>,
}

/// Tries one fault or variant.
pub(super) async fn attempt(plan: &Plan, fault: Fault) -> Trial {
    let begun = Instant::now();
    let seen = match fault.kind {
        Kind::Broken(named) if !plan.is_full => named_then_everything(plan, fault, named).await,
        Kind::Benign(KeptProfile::Core) => everything(plan, Some(fault), Profile::Core, plan.seed).await,
        Kind::Broken(_) | Kind::Benign(KeptProfile::Full) => {
            everything(plan, Some(fault), plan.profile, plan.seed).await
        }
    };
    let seen =
        seen.unwrap_or_else(|error| Seen { remark: Some(error.to_string()), is_broken: true, ..Seen::default() });
    let verdict = verdict(fault.kind, &seen);
    let remark = seen.skipped.or(seen.remark);
    let caught_by = seen.caught_by.into_iter().map(ToOwned::to_owned).collect();
    Trial { caught_by, seconds: begun.elapsed().as_secs_f64(), ..Trial::new(fault, verdict, remark) }
}

fn verdict(kind: Kind, seen: &Seen) -> Verdict {
    let is_caught = !seen.caught_by.is_empty();
    match kind {
        _ if seen.is_broken => Verdict::Broken,
        _ if seen.skipped.is_some() => Verdict::Skipped,
        Kind::Broken(named) if seen.caught_by.iter().any(|id| named.contains(id)) => Verdict::Caught,
        Kind::Broken(_) if is_caught => Verdict::CaughtByOthers,
        Kind::Broken(_) => Verdict::Survived,
        // A recommendation may disagree with a permitted difference.
        Kind::Benign(_) if seen.has_failures => Verdict::Blamed,
        Kind::Benign(_) => Verdict::Passed,
    }
}

/// Runs the named requirements with few cases, then with the default number, then everything, until something notices the fault.
async fn named_then_everything(plan: &Plan, fault: Fault, named: &[&'static str]) -> Result<Seen, SetUpError> {
    let mut spoiled = 0;
    for cases in [plan.cases, plan.healthy_cases] {
        let seen = named_ones(plan, fault, named, cases).await?;
        if !seen.caught_by.is_empty() || seen.skipped.is_some() {
            return Ok(seen);
        }
        spoiled += seen.spoiled;
    }
    // Observers need the exchanges of the other requirements.
    let mut seen = everything(plan, Some(fault), plan.profile, plan.seed).await?;
    if plan.origin.is_shared() && spoiled + seen.spoiled == 0 && seen.caught_by.is_empty() {
        seen.skipped = Some("a run of all requirements sent nothing that this fault changes".to_owned());
    }
    Ok(seen)
}

/// Runs the named requirements one after the other until one notices the fault.
async fn named_ones(plan: &Plan, fault: Fault, named: &[&'static str], cases: u32) -> Result<Seen, SetUpError> {
    let _turn = plan.turn(Some(named)).await;
    let server = plan.origin.start(Some(fault)).await?;
    let seen = each_named(plan, &server, named, cases).await;
    server.end().await;
    seen
}

async fn each_named(plan: &Plan, server: &Spoiled, named: &[&'static str], cases: u32) -> Result<Seen, SetUpError> {
    let mut seen = Seen::default();
    let mut absent = Vec::new();
    for id in named {
        let settings = Settings {
            profile: plan.profile,
            selection: Selection { only: vec![(*id).to_owned()], skip: Vec::new() },
            cases,
            seed: plan.seed,
            // A fault may appear only sometimes, and a healthy server has none.
            flaky: Flaky::Fail,
            // The matrix shows which requirement failed, not the case.
            shrinks: false,
            ..Settings::default()
        };
        // Registration takes time, and most requirements need none.
        let needs_hooks = id.starts_with("hooks.");
        let target = target(plan, server, needs_hooks, if needs_hooks { HOOK_WITHIN } else { READY_WITHIN });
        let run = Suite::new(ContentGeneration, target).with(settings).run(&|_| {}).await?;
        take(plan, &run, &mut seen);
        if !seen.caught_by.is_empty() {
            return Ok(seen);
        }
        match run.results.first().map(|result| &result.outcome) {
            Some(Outcome::NotApplicable(reason) | Outcome::Skipped(reason)) => absent.push(format!("{id}: {reason}")),
            // The requirement was not decided, with a fault or without.
            Some(Outcome::Inconclusive(reason)) if plan.origin.is_shared() => {
                absent.push(format!("{id} is not decided: {reason}"));
            }
            Some(_) if plan.failing.iter().any(|failing| failing == id) => {
                absent.push(format!("{id} also fails without the fault"));
            }
            Some(outcome) => {
                seen.remark = seen.remark.or_else(|| Some(format!("{id}: {outcome:?}")));
            }
            None => absent.push(format!("{id} is not in the {} profile", plan.profile)),
        }
    }
    seen.spoiled = server.spoiled();
    if absent.len() == named.len() {
        seen.skipped = Some(absent.join("; "));
    } else if plan.profile == Profile::Core && seen.spoiled == 0 {
        seen.skipped =
            Some("the run sent nothing that this fault changes, because the core profile does not check it".to_owned());
    } else if seen.spoiled == 0 {
        seen.remark = Some("the fault changed no request or response".to_owned());
    }
    Ok(seen)
}

/// Runs everything against the healthy server. Returns the requirements that it does not keep, and a line for each
/// failure that counts. A foreign server may ignore recommendations.
pub(super) async fn healthy(plan: &Plan, seed: u64) -> Result<(Vec<&'static str>, Vec<String>), SetUpError> {
    let seen = everything(plan, None, plan.profile, seed).await?;
    let is_passing = plan.origin.is_shared() && !seen.has_failures;
    Ok((seen.caught_by, seen.remark.filter(|_| !is_passing).into_iter().collect()))
}

async fn everything(plan: &Plan, fault: Option<Fault>, profile: Profile, seed: u64) -> Result<Seen, SetUpError> {
    let _turn = plan.turn(None).await;
    let server = plan.origin.start(fault).await?;
    let is_broken = matches!(fault.map(|fault| fault.kind), Some(Kind::Broken(_)));
    let mut target = target(plan, &server, true, if is_broken { HOOK_WITHIN } else { HEALTHY_WITHIN });
    if plan.origin.is_shared() && fault.is_some() {
        // The small quota of a shared server is reserved for the trials that need it.
        target.small_quota = None;
    }
    let cases = match fault.map(|fault| fault.kind) {
        None => plan.healthy_cases,
        Some(Kind::Benign(_)) => plan.variant_cases,
        Some(_) => plan.cases,
    };
    let settings = Settings { profile, cases, seed, flaky: Flaky::Fail, shrinks: false, ..Settings::default() };
    let run = Suite::new(ContentGeneration, target).with(settings).run(&|_| {}).await;
    server.end().await;
    let run = run?;
    let mut seen = Seen::default();
    take(plan, &run, &mut seen);
    seen.is_broken = run.verdicts().passed == 0;
    seen.spoiled = server.spoiled();
    Ok(seen)
}

/// Returns the server as a target whose jobs and webhooks arrive within that time. A shared server has its own times.
fn target(plan: &Plan, server: &Spoiled, needs_hooks: bool, ready_within: Duration) -> Target {
    let mut target = server.target.clone();
    if !plan.origin.is_shared() {
        target.ready_within = Some(ready_within);
    }
    // If webhooks contain the ids of articles, no article can be read without them.
    let is_told_ids = target.article_id_from == ArticleIdSource::Hook;
    target.hooks = target.hooks.filter(|_| needs_hooks || is_told_ids);
    target
}

/// Records the failures, and the first finding in words.
fn take(plan: &Plan, run: &Run, seen: &mut Seen) {
    for result in &run.results {
        seen.has_failures |= result.is_failure() || matches!(result.outcome, Outcome::Error(_));
        let said = match &result.outcome {
            Outcome::Failed(_) if plan.failing.iter().any(|id| id == result.requirement.id) => continue,
            Outcome::Failed(failure) => {
                seen.caught_by.push(result.requirement.id);
                format!("expected {}, observed {}", failure.finding.expected, failure.finding.observed)
            }
            Outcome::Error(reason) => {
                seen.is_broken = true;
                reason.clone()
            }
            Outcome::Passed
            | Outcome::Flaky { .. }
            | Outcome::Known { .. }
            | Outcome::Stale { .. }
            | Outcome::NotApplicable(_)
            | Outcome::Skipped(_)
            | Outcome::Inconclusive(_) => continue,
        };
        let said: String = said.chars().take(300).collect();
        let remark = run.facts.secrets.mask(&format!("{}: {said}", result.requirement.id));
        seen.remark = Some(seen.remark.take().map_or(remark.clone(), |before| format!("{before}\n{remark}")));
    }
}
