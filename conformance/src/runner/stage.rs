//! Which requirements run, in which order and until when; what they share while they do.
//!
//! The cases of one are run in `cases`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use futures::stream::StreamExt as _;
use tokio::sync::watch;

use super::cases::{self, Effort, Execution, Findings, OUT_OF_TIME};
use super::contract::Contract;
use super::event::{Event, Sink};
use super::interrupt::{Interrupt, InterruptSwitch};
use super::known;
use super::observers::{Observers, Sighting};
use super::outcome::{Failure, Outcome, RequirementResult};
use super::replay::Replay;
use super::settings::Settings;
use super::side_by_side;
use super::transport::Transport;
use crate::check::{Activity, Context, Facts, Level, Pace, Requirement};
use crate::strategies::Space;

/// Requirements that may end because an answer was not complete in time; after so many the rest is skipped.
const MAX_HANGS: u32 = 8;

/// Longest time for one case beyond twice the time in which the target says that it is ready.
const MAX_ORDINARY: Duration = Duration::from_secs(30);
const MAX_BACKGROUND: Duration = Duration::from_mins(2);

/// Requirements at a time, all but one of which wait for the target.
const SIDE_BY_SIDE: usize = 64;

/// Requirements that run beside the others where quotas are scarce.
const BACKGROUND_WHERE_SCARCE: usize = 2;

/// How long a failed case may still be repeated after the deadline: a finding is worth more than the last seconds.
const MAX_CONFIRMATION: Duration = Duration::from_secs(10);

/// Why something was not decided after an interrupt.
const INTERRUPTED: &str = "the run was interrupted";
/// Why something was not decided after the first failure.
const FAILED_FAST: &str = "another requirement failed (--fail-fast)";

/// A run that has begun.
pub(super) struct Stage<'run> {
    contract: &'run dyn Contract,
    settings: &'run Settings,
    space: Space,
    context: Context,
    transport: Arc<Transport>,
    observers: Arc<Observers>,
    deadline: Option<Instant>,
    /// Whether the target's quotas hold the run up.
    is_scarce: bool,
    /// Whether the target stopped answering.
    gone: AtomicBool,
    /// Turned on by the first failure where that ends the run.
    failed: (InterruptSwitch, Interrupt),
    /// Requirements that ended because an answer was not complete in time.
    hangs: AtomicU32,
    sink: Sink<'run>,
}

impl<'run> Stage<'run> {
    pub(super) fn new(
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

    /// Begins no case after this.
    #[must_use]
    pub(super) const fn until(mut self, deadline: Option<Instant>) -> Self {
        self.deadline = deadline;
        self
    }

    /// Says whether the target's quotas hold the run up.
    #[must_use]
    pub(super) const fn held_up_by_quotas(mut self, is_scarce: bool) -> Self {
        self.is_scarce = is_scarce;
        self
    }
}

impl Stage<'_> {
    /// Runs them all, the background ones beside the others; what became of each, in the order of ids.
    pub(super) async fn run_all(&self, requirements: &[Arc<Requirement>]) -> Vec<RequirementResult> {
        let is_background = |requirement: &&Arc<Requirement>| requirement.pace == Pace::Background;
        let background = requirements
            .iter()
            .filter(is_background)
            .map(|requirement| async move { self.decide(requirement, &Arc::default()).await });
        // Where quotas are scarce, many at once would wait for one another until what they look at is over.
        let at_once = if self.is_scarce { BACKGROUND_WHERE_SCARCE } else { requirements.len().max(1) };
        let background = futures::stream::iter(background).buffer_unordered(at_once).collect::<Vec<_>>();
        let ordinary = async {
            let mut results = Vec::new();
            for pace in [Pace::Ordinary, Pace::Last] {
                let in_order: Vec<_> = requirements.iter().filter(|requirement| requirement.pace == pace).collect();
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
            self.add_observation(result);
            known::apply(&self.settings.known_failures, self.facts().started, result);
        }
        results.sort_by_key(|result| result.requirement.id);
        for result in results.iter().filter(|result| is_announced_late(result)) {
            (self.sink)(Event::Decided(result));
        }
        results
    }

    fn facts(&self) -> &Facts {
        self.context.facts()
    }

    async fn decide_each(&self, requirements: &[&Arc<Requirement>]) -> Vec<RequirementResult> {
        let begin = |requirement: &&Arc<Requirement>, activity: Arc<Activity>| {
            let requirement = Arc::clone(requirement);
            async move { self.decide(&requirement, &activity).await }
        };
        side_by_side::run(self.company(), requirements, begin).await
    }

    /// How many requirements may run at a time because all but one of them wait. Where quotas are scarce, they would wait for one
    /// another.
    fn company(&self) -> usize {
        if self.is_scarce { 1 } else { SIDE_BY_SIDE }
    }

    /// Where time is short, the first case of each requirement tells more than the second of any.
    async fn decide_first_cases_first(&self, requirements: &[&Arc<Requirement>]) -> Vec<RequirementResult> {
        let first = side_by_side::run(self.company(), requirements, |requirement, activity| async move {
            let cases = self.case_count(requirement);
            let result = self.examine(requirement, 0..cases.min(1), &activity).await;
            let goes_on = cases > 1 && matches!(result.outcome, Outcome::Passed | Outcome::Flaky { .. });
            if goes_on { Err((result, cases)) } else { Ok(self.announced(result)) }
        });
        let (mut results, mut begun) = (Vec::new(), Vec::new());
        for decided in first.await {
            match decided {
                Ok(result) => results.push(result),
                Err(first) => begun.push(first),
            }
        }
        let rest = side_by_side::run(self.company(), begun, |(first, cases), activity| async move {
            let rest = self.examine(&first.requirement, 1..cases, &activity).await;
            let (cases, duration) = (first.cases + rest.cases, first.duration + rest.duration);
            let outcome = match (first.outcome, rest.outcome) {
                (flaky @ Outcome::Flaky { .. }, Outcome::Passed | Outcome::Inconclusive(_)) => flaky,
                (_, outcome) => outcome,
            };
            self.announced(RequirementResult { outcome, cases, duration, ..rest })
        });
        results.extend(rest.await);
        results
    }

    async fn decide(&self, requirement: &Arc<Requirement>, activity: &Arc<Activity>) -> RequirementResult {
        self.announced(self.examine(requirement, 0..self.case_count(requirement), activity).await)
    }

    fn case_count(&self, requirement: &Requirement) -> u32 {
        requirement.case_count(&self.space, self.settings.cases)
    }

    /// Runs the cases with these indices.
    async fn examine(
        &self,
        requirement: &Arc<Requirement>,
        cases: Range<u32>,
        activity: &Arc<Activity>,
    ) -> RequirementResult {
        let begun = Instant::now();
        let (outcome, cases) = match self.obstacle(requirement, cases.start) {
            None | Some(Outcome::Inconclusive(_)) if self.is_shown_by_others(requirement) => (Outcome::Passed, 0),
            Some(outcome) => (outcome, 0),
            None => self.execute(requirement, cases, activity).await,
        };
        let (duration, requests) = (begun.elapsed(), BTreeMap::new());
        RequirementResult { requirement: Arc::clone(requirement), outcome, cases, duration, requests }
    }

    /// Whether what others have sent shows as much as the requirement's own case would, and costs no more of a scarce quota.
    fn is_shown_by_others(&self, requirement: &Requirement) -> bool {
        let is_replayed = self.settings.replays.iter().any(|replay| replay.shown_by == requirement.id);
        self.is_scarce
            && !is_replayed
            && requirement.is_shown_by_any_exchange()
            && self.observers.was_concerned(requirement.id)
    }

    fn announced(&self, mut result: RequirementResult) -> RequirementResult {
        if is_announced_late(&result) {
            self.end_at_failure(&result);
        } else {
            known::apply(&self.settings.known_failures, self.facts().started, &mut result);
            self.end_at_failure(&result);
            (self.sink)(Event::Decided(&result));
        }
        result
    }

    /// With `fail_fast` the first failure that counts ends the run, whether a case or an observer found it.
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

    /// What becomes of a requirement whose cases from the `first` one on are not run.
    fn obstacle(&self, requirement: &Requirement, first: u32) -> Option<Outcome> {
        let skipped = |reason: String| Some(Outcome::Skipped(reason));
        if self.gone.load(Ordering::Relaxed) {
            return skipped("the target stopped answering earlier in this run".to_owned());
        }
        if self.settings.interrupt.is_on() {
            return skipped(format!("{INTERRUPTED} before its turn"));
        }
        if self.failed.1.is_on() {
            return skipped(format!("{FAILED_FAST} before its turn"));
        }
        if self.hangs.load(Ordering::Relaxed) >= MAX_HANGS {
            return skipped(format!("the target left {MAX_HANGS} requirements without an answer in time"));
        }
        if let Some(need) = requirement.needs.iter().find(|need| !self.facts().capabilities.contains(need)) {
            return skipped(need.absence().to_owned());
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            let reason = if first > 0 { OUT_OF_TIME } else { "the time budget (--max-time) was spent before its turn" };
            return Some(Outcome::Inconclusive(reason.to_owned()));
        }
        None
    }

    async fn execute(
        &self,
        requirement: &Arc<Requirement>,
        cases: Range<u32>,
        activity: &Arc<Activity>,
    ) -> (Outcome, u32) {
        let is_background = requirement.pace == Pace::Background;
        if !is_background {
            (self.sink)(Event::Begun { requirement, cases: cases.end });
        }
        let (id, first) = (requirement.id, cases.start);
        let progress = |done: u32| {
            (self.sink)(Event::Progress { id, cases: first + done, exchanges: self.transport.exchanges() });
        };
        let findings = watch::Sender::new(Findings::default());
        let execution = Execution {
            requirement,
            space: &self.space,
            context: &self.context,
            transport: &self.transport,
            contract: self.contract,
            seed: self.settings.seed,
            cases,
            is_single: self.case_count(requirement) == 1,
            in_flight: self.settings.jobs,
            activity,
            limit: self.facts().ready_within * 2 + if is_background { MAX_BACKGROUND } else { MAX_ORDINARY },
            deadline: self.deadline,
            flaky: self.settings.flaky,
            retries: self.settings.retries,
            findings: &findings,
            progress: &progress,
        };
        let run = self.replay_and_run(&execution);
        let (outcome, cases) = tokio::select! {
            decided = run => decided,
            reason = self.cut_short(findings.subscribe()) => {
                (findings.borrow().cut_short(reason, self.settings.flaky), 0)
            }
        };
        if let Outcome::Failed(failure) = &outcome {
            self.check_alive(failure).await;
        }
        (outcome, cases)
    }

    /// Returns when a case that is under way must end too, and why.
    async fn cut_short(&self, mut findings: watch::Receiver<Findings>) -> &'static str {
        let out_of_time = async {
            let Some(deadline) = self.deadline else { return std::future::pending().await };
            tokio::time::sleep_until(deadline.into()).await;
            let is_decided = findings.wait_for(|findings| !findings.has_open_suspect());
            let _ = tokio::time::timeout(MAX_CONFIRMATION, is_decided).await;
        };
        tokio::select! {
            () = out_of_time => "the time budget (--max-time) ended",
            () = self.settings.interrupt.turned_on() => INTERRUPTED,
            () = self.failed.1.turned_on() => FAILED_FAST,
        }
    }

    /// What failed in an earlier run comes first.
    async fn replay_and_run(&self, execution: &Execution<'_>) -> (Outcome, u32) {
        let mut undecided = None;
        let mut repeated = 0;
        let effort = if self.settings.only_replays { Effort::Thorough } else { Effort::Once };
        let is_first = execution.cases.start == 0;
        let of_this = |replay: &&Replay| is_first && replay.shown_by == execution.requirement.id;
        for replay in self.settings.replays.iter().filter(of_this) {
            let seen = || self.observers.found(&replay.requirement).is_some();
            repeated += 1;
            match cases::repeat(execution, replay, effort, &seen).await {
                Some(failed @ Outcome::Failed(_)) => return (failed, repeated),
                other => undecided = other.or(undecided),
            }
        }
        if self.settings.only_replays {
            return (undecided.unwrap_or(Outcome::Passed), repeated);
        }
        let (outcome, cases) = execution.run().await;
        (outcome, cases + repeated)
    }

    /// After a failure without an HTTP answer: is anybody still there?
    async fn check_alive(&self, failure: &Failure) {
        if !failure.finding.is_without_answer() {
            return;
        }
        if failure.is_hang() {
            self.hangs.fetch_add(1, Ordering::Relaxed);
        }
        if self.transport.ask(self.contract.probe()).await.is_err() {
            self.gone.store(true, Ordering::Relaxed);
        }
    }

    fn add_observation(&self, result: &mut RequirementResult) {
        if matches!(result.outcome, Outcome::Failed(_)) {
            return;
        }
        let Some(Sighting { finding, exchange, origin }) = self.observers.found(result.requirement.id) else {
            // A replay repeats the case that once showed the fault: then silence means that it is mended.
            let observes = result.requirement.observer().is_some() && !self.settings.only_replays;
            if observes
                && matches!(result.outcome, Outcome::Passed)
                && !self.observers.was_concerned(result.requirement.id)
            {
                result.outcome = Outcome::Inconclusive("no exchange of the run concerned it".to_owned());
            }
            return;
        };
        result.outcome = Outcome::Failed(Box::new(Failure {
            finding,
            case_index: 0,
            case: serde_json::Value::Null,
            shrink_steps: 0,
            exchanges: vec![exchange],
            received: Vec::new(),
            origin,
        }));
    }
}

/// Observers are decided by the whole run, background requirements after everything else.
fn is_announced_late(result: &RequirementResult) -> bool {
    result.requirement.observer().is_some() || result.requirement.pace == Pace::Background
}
