//! One server with one switch on, and what the suite says of it.
//!
//! What follows from all of them is in `matrix`.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::plan::Plan;
use crate::reference::{Fault, KeptProfile, Kind, Reference};
use crate::runner::{Outcome, Run, Selection, SetUpError, Settings, Suite, Target};
use crate::spec::Profile;

/// How long a job or a hook may take: a server that never sends is given up soon.
const READY_WITHIN: Duration = Duration::from_secs(20);
const HOOK_WITHIN: Duration = Duration::from_secs(8);

/// What became of a switch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A requirement that must notice it did.
    Caught,
    /// Only requirements noticed it that were not named.
    CaughtByOthers,
    /// Nothing noticed it.
    Survived,
    /// It is declared as one that no exchange shows, and nothing noticed it.
    Unobservable,
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
        matches!(self, Self::Caught | Self::Unobservable | Self::Passed)
    }
}

/// One switch, tried.
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

/// What runs have said so far.
#[derive(Default)]
struct Seen {
    caught_by: Vec<&'static str>,
    remark: Option<String>,
    is_broken: bool,
}

/// Tries one switch.
pub(super) async fn trial(plan: &Plan, fault: Fault) -> Trial {
    let begun = Instant::now();
    let seen = match fault.kind {
        Kind::Broken(named) if !plan.is_full => match named_ones(plan, fault, named).await {
            // Those that look at every exchange of a run need the exchanges of the others.
            Ok(seen) if seen.caught_by.is_empty() => everything(plan, Some(fault), Profile::Full, plan.seed).await,
            seen => seen,
        },
        Kind::Unobservable(_) if !plan.is_full => Ok(Seen::default()),
        Kind::Benign(KeptProfile::Core) => everything(plan, Some(fault), Profile::Core, plan.seed).await,
        Kind::Broken(_) | Kind::Unobservable(_) | Kind::Benign(KeptProfile::Full) => {
            everything(plan, Some(fault), Profile::Full, plan.seed).await
        }
    };
    let seen =
        seen.unwrap_or_else(|error| Seen { remark: Some(error.to_string()), is_broken: true, ..Seen::default() });
    let verdict = verdict(fault.kind, &seen);
    let remark = match fault.kind {
        Kind::Unobservable(reason) => Some(reason.to_owned()),
        _ => seen.remark,
    };
    let caught_by = seen.caught_by.into_iter().map(ToOwned::to_owned).collect();
    Trial { caught_by, seconds: begun.elapsed().as_secs_f64(), ..Trial::new(fault, verdict, remark) }
}

impl Trial {
    /// One that nothing is known of but its verdict.
    pub(super) fn new(fault: Fault, verdict: Verdict, remark: Option<String>) -> Self {
        let named = if let Kind::Broken(named) = fault.kind { named } else { &[] };
        Self {
            name: fault.name.to_owned(),
            area: fault.area.to_owned(),
            description: fault.description.to_owned(),
            expected: named.iter().map(ToString::to_string).collect(),
            caught_by: Vec::new(),
            verdict,
            remark,
            seconds: 0.0,
        }
    }
}

fn verdict(kind: Kind, seen: &Seen) -> Verdict {
    let is_caught = !seen.caught_by.is_empty();
    match kind {
        _ if seen.is_broken => Verdict::Broken,
        Kind::Broken(named) if seen.caught_by.iter().any(|id| named.contains(id)) => Verdict::Caught,
        Kind::Broken(_) if is_caught => Verdict::CaughtByOthers,
        Kind::Broken(_) => Verdict::Survived,
        Kind::Unobservable(_) if is_caught => Verdict::CaughtByOthers,
        Kind::Unobservable(_) => Verdict::Unobservable,
        Kind::Benign(_) if is_caught => Verdict::Blamed,
        Kind::Benign(_) => Verdict::Passed,
    }
}

/// Runs the named requirements one after the other until one notices the fault.
async fn named_ones(plan: &Plan, fault: Fault, named: &[&'static str]) -> Result<Seen, SetUpError> {
    let server = Reference::start_with_fault(Some(fault)).await?;
    let mut seen = Seen::default();
    for id in named {
        let target = target(&server, id.starts_with("hooks."));
        let settings = Settings {
            selection: Selection { only: vec![(*id).to_owned()], skip: Vec::new() },
            cases: plan.cases,
            seed: plan.seed,
            ..Settings::default()
        };
        let run = Suite::new(target).with(settings).run(&|_| {}).await?;
        take(&run, &mut seen);
        if !seen.caught_by.is_empty() {
            break;
        }
        let said = run.results.first().map(|result| format!("{}: {:?}", result.requirement.id, result.outcome));
        seen.remark = seen.remark.or(said).or_else(|| Some(format!("{id} is no requirement")));
    }
    Ok(seen)
}

/// Runs everything.
pub(super) async fn healthy(plan: &Plan, seed: u64) -> Result<Vec<String>, SetUpError> {
    let seen = everything(plan, None, Profile::Full, seed).await?;
    Ok(seen.remark.into_iter().collect())
}

async fn everything(plan: &Plan, fault: Option<Fault>, profile: Profile, seed: u64) -> Result<Seen, SetUpError> {
    let server = Reference::start_with_fault(fault).await?;
    let cases = match fault.map(|fault| fault.kind) {
        None => plan.healthy_cases,
        Some(Kind::Benign(_)) => plan.variant_cases,
        Some(_) => plan.cases,
    };
    let settings = Settings { profile, cases, seed, ..Settings::default() };
    let mut target = server.target();
    target.ready_within = READY_WITHIN;
    let run = Suite::new(target).with(settings).run(&|_| {}).await?;
    let mut seen = Seen::default();
    take(&run, &mut seen);
    seen.is_broken = run.verdicts().passed == 0;
    Ok(seen)
}

fn target(server: &Reference, needs_hooks: bool) -> Target {
    let mut target = server.target();
    target.ready_within = if needs_hooks { HOOK_WITHIN } else { READY_WITHIN };
    // The registration costs time, and most requirements need none.
    target.hooks = target.hooks.filter(|_| needs_hooks);
    target
}

/// Notes what failed, and the first finding in words.
fn take(run: &Run, seen: &mut Seen) {
    for result in &run.results {
        let said = match &result.outcome {
            Outcome::Failed(failure) => {
                seen.caught_by.push(result.requirement.id);
                format!("expected {}, seen {}", failure.finding.expected, failure.finding.observed)
            }
            Outcome::Error(reason) => {
                seen.is_broken = true;
                reason.clone()
            }
            Outcome::Passed
            | Outcome::Known { .. }
            | Outcome::Stale { .. }
            | Outcome::Skipped(_)
            | Outcome::Inconclusive(_) => continue,
        };
        let said: String = said.chars().take(300).collect();
        let remark = run.facts.secrets.mask(&format!("{}: {said}", result.requirement.id));
        seen.remark = Some(seen.remark.take().map_or(remark.clone(), |before| format!("{before}\n{remark}")));
    }
}
