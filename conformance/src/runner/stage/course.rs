//! Runs the requirements: their order, their end, their shared state.
//!
//! `examination` runs one of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32};

use futures::stream::StreamExt as _;
use tokio::time::Instant;

use crate::check::{Activity, Context, Facts, Level, Requirement, Schedule};
use crate::runner::contract::Contract;
use crate::runner::event::{Event, Sink};
use crate::runner::observers::{Observers, Sighting};
use crate::runner::outcome::{Failure, Outcome, RequirementResult, apply_known};
use crate::runner::settings::{Interrupt, InterruptSwitch, Settings};
use crate::runner::transport::Transport;
use crate::runner::{cases, side_by_side};
use crate::strategies::Space;

/// Maximum number of simultaneous requirements. All but one of them wait for the target.
const SIDE_BY_SIDE: usize = 96;

/// Maximum number of background requirements if quotas are scarce.
const BACKGROUND_WHERE_SCARCE: usize = 2;

/// A run that has begun.
pub(in crate::runner) struct Stage<'run> {
    pub(super) contract: &'run dyn Contract,
    pub(super) settings: &'run Settings,
    pub(super) space: Space,
    pub(super) context: Context,
    pub(super) transport: Arc<Transport>,
    pub(super) observers: Arc<Observers>,
    pub(super) deadline: Option<Instant>,
    /// True if the target's quotas delay the run.
    pub(super) is_scarce: bool,
    /// True if the target stopped responding.
    pub(super) gone: AtomicBool,
    /// Turned on by the first failure, if it ends the run.
    pub(super) failed: (InterruptSwitch, Interrupt),
    /// Number of requirements that ended because a response was not complete in time.
    pub(super) hangs: AtomicU32,
    pub(super) sink: Sink<'run>,
}

impl<'run> Stage<'run> {
    pub(in crate::runner) fn new(
        contract: &'run dyn Contract,
        settings: &'run Settings,
        space: Space,
        context: Context,
        transport: Arc<Transport>,
        observers: Arc<Observers>,
        sink: Sink<'run>,
    ) -> Self {
        Self {
            contract,
            settings,
            space,
            context,
            transport,
            observers,
            deadline: None,
            is_scarce: false,
            gone: AtomicBool::new(false),
            failed: Interrupt::new(),
            hangs: AtomicU32::new(0),
            sink,
        }
    }

    /// Sets the time after which no case begins.
    #[must_use]
    pub(in crate::runner) const fn until(mut self, deadline: Option<Instant>) -> Self {
        self.deadline = deadline;
        self
    }

    /// Sets whether the target's quotas delay the run.
    #[must_use]
    pub(in crate::runner) const fn held_up_by_quotas(mut self, is_scarce: bool) -> Self {
        self.is_scarce = is_scarce;
        self
    }
}

impl Stage<'_> {
    /// Runs all requirements, the background ones in parallel. Returns the results in the order of ids.
    pub(in crate::runner) async fn run_all(&self, requirements: &[Arc<Requirement>]) -> Vec<RequirementResult> {
        let is_background = |requirement: &&Arc<Requirement>| requirement.schedule == Schedule::Background;
        let background = requirements
            .iter()
            .filter(is_background)
            .map(|requirement| async move { self.decide(requirement, &Arc::default()).await });
        // If quotas are scarce, many requirements would wait for one another for too long.
        let at_once = if self.is_scarce { BACKGROUND_WHERE_SCARCE } else { requirements.len().max(1) };
        let background = futures::stream::iter(background).buffer_unordered(at_once).collect::<Vec<_>>();
        let ordinary = async {
            let mut results = Vec::new();
            for schedule in [Schedule::InTurn, Schedule::AfterAll] {
                let in_order: Vec<_> =
                    requirements.iter().filter(|requirement| requirement.schedule == schedule).collect();
                results.extend(match self.deadline {
                    None => self.decide_each(&in_order).await,
                    Some(_) => self.decide_first_cases_first(&in_order).await,
                });
            }
            (self.sink)(Event::Waiting);
            results
        };
        let (mut results, late) = futures::future::join(ordinary, background).await;
        results.extend(late);
        for result in results.iter_mut().filter(|result| is_announced_late(result)) {
            self.add_observation(result, requirements).await;
            apply_known(&self.settings.known_failures, self.facts().started, result);
        }
        results.sort_by_key(|result| result.requirement.id);
        for result in results.iter().filter(|result| is_announced_late(result)) {
            (self.sink)(Event::Decided(result));
        }
        let days = |requirement: &Arc<Requirement>| match requirement.schedule {
            Schedule::Alone(days) => Some(days),
            _ => None,
        };
        let mut moving: Vec<_> = requirements.iter().filter(|requirement| days(requirement).is_some()).collect();
        moving.sort_by_key(|requirement| days(requirement));
        for requirement in moving {
            results.push(self.decide(requirement, &Arc::default()).await);
        }
        results.sort_by_key(|result| result.requirement.id);
        results
    }

    pub(super) fn facts(&self) -> &Facts {
        self.context.facts()
    }

    async fn decide_each(&self, requirements: &[&Arc<Requirement>]) -> Vec<RequirementResult> {
        let begin = |requirement: &&Arc<Requirement>, activity: Arc<Activity>| {
            let requirement = Arc::clone(requirement);
            async move { self.decide(&requirement, &activity).await }
        };
        side_by_side::run(self.company(), || self.at_a_time(), requirements, begin).await
    }

    /// Returns how many requirements may run at a time because all but one of them wait. If quotas are scarce, they
    /// would wait for one another. One parallel case also means one requirement.
    fn company(&self) -> usize {
        if self.is_scarce || self.settings.jobs <= 1 { 1 } else { SIDE_BY_SIDE }
    }

    fn at_a_time(&self) -> usize {
        self.context.requirements_at_a_time()
    }

    /// Runs the first case of each requirement first. If time is short, it shows more than the second case of any requirement.
    async fn decide_first_cases_first(&self, requirements: &[&Arc<Requirement>]) -> Vec<RequirementResult> {
        let first = side_by_side::run(
            self.company(),
            || self.at_a_time(),
            requirements,
            |requirement, activity| async move {
                let cases = self.case_count(requirement);
                let result = self.examine(requirement, 0..cases.min(1), &activity).await;
                let goes_on = cases > 1 && matches!(result.outcome, Outcome::Passed | Outcome::Flaky { .. });
                if goes_on { Err((result, cases)) } else { Ok(self.announced(result)) }
            },
        );
        let (mut results, mut begun) = (Vec::new(), Vec::new());
        for decided in first.await {
            match decided {
                Ok(result) => results.push(result),
                Err(first) => begun.push(first),
            }
        }
        let rest = side_by_side::run(
            self.company(),
            || self.at_a_time(),
            begun,
            |(first, cases), activity| async move {
                let rest = self.examine(&first.requirement, 1..cases, &activity).await;
                let (cases, duration) = (first.cases + rest.cases, first.duration + rest.duration);
                let outcome = match (first.outcome, rest.outcome) {
                    (flaky @ Outcome::Flaky { .. }, Outcome::Passed | Outcome::Inconclusive(_)) => flaky,
                    (_, outcome) => outcome,
                };
                self.announced(RequirementResult { outcome, cases, duration, ..rest })
            },
        );
        results.extend(rest.await);
        results
    }

    async fn decide(&self, requirement: &Arc<Requirement>, activity: &Arc<Activity>) -> RequirementResult {
        self.announced(self.examine(requirement, 0..self.case_count(requirement), activity).await)
    }

    pub(super) fn case_count(&self, requirement: &Requirement) -> u32 {
        requirement.case_count(&self.space, self.settings.cases)
    }

    fn announced(&self, mut result: RequirementResult) -> RequirementResult {
        if is_announced_late(&result) {
            self.end_at_failure(&result);
        } else {
            apply_known(&self.settings.known_failures, self.facts().started, &mut result);
            self.end_at_failure(&result);
            (self.sink)(Event::Decided(&result));
        }
        result
    }

    /// Ends the run at the first failure that counts if `fail_fast` is set. A case or an observer may have found it.
    fn end_at_failure(&self, result: &RequirementResult) {
        let is_known = |id: &str| self.settings.known_failures.iter().any(|known| known.id == id);
        let is_late_and_open = is_announced_late(result) && is_known(result.requirement.id);
        let has_failed = result.is_failure() && !is_late_and_open;
        if self.settings.fail_fast
            && (has_failed || self.observers.found_any(&|one| one.level == Level::Must && !is_known(one.id)))
        {
            self.failed.0.turn_on();
        }
    }

    async fn add_observation(&self, result: &mut RequirementResult, requirements: &[Arc<Requirement>]) {
        if matches!(result.outcome, Outcome::Failed(_)) {
            return;
        }
        let Some(Sighting { finding, exchange, origin }) = self.observers.found(result.requirement.id) else {
            // A replay repeats the case that once showed the fault: if nothing is found, the fault is fixed.
            let observes = result.requirement.observer().is_some() && !self.settings.only_replays;
            if observes
                && matches!(result.outcome, Outcome::Passed)
                && self.observers.concerned(result.requirement.id) == 0
            {
                result.outcome =
                    Outcome::Inconclusive("no exchange of the run was relevant to this requirement".to_owned());
            }
            return;
        };
        let id = result.requirement.id;
        let shown_by = origin.as_ref().and_then(|origin| requirements.iter().find(|one| one.id == origin.requirement));
        let again = match (self.observers.count(id), &origin, shown_by) {
            (1, Some(origin), Some(shown_by)) if self.settings.retries > 0 && !self.settings.only_replays => {
                let concerned = self.observers.concerned(id);
                self.repeat_case(shown_by, origin).await;
                if self.observers.count(id) == 1 && self.observers.concerned(id) == concerned {
                    result.outcome = Outcome::Inconclusive(format!(
                        "observed once: {}; the case that showed it could not be repeated",
                        finding.observed
                    ));
                    return;
                }
                (self.observers.count(id) == 1).then(|| "the case that showed it held when it was repeated".to_owned())
            }
            _ => None,
        };
        let failure = Box::new(Failure {
            finding,
            case_index: 0,
            case: serde_json::Value::Null,
            shrink_steps: 0,
            exchanges: vec![exchange],
            received: Vec::new(),
            origin,
        });
        result.outcome = match again {
            Some(again) => cases::seen_once(failure, again, self.settings.flaky),
            None => Outcome::Failed(failure),
        };
    }
}

/// Returns true if the result is only known late: observers need the whole run, background requirements end after everything else.
fn is_announced_late(result: &RequirementResult) -> bool {
    result.requirement.observer().is_some() || result.requirement.schedule == Schedule::Background
}
