//! Runs one requirement: whether its cases run, the steps before them, and an early end.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::course::Stage;
use crate::check::{Activity, Origin, Requirement, Schedule};
use crate::runner::cases::{self, Effort, Execution, Findings, OUT_OF_TIME};
use crate::runner::event::Event;
use crate::runner::outcome::{Failure, Outcome, RequirementResult};
use crate::runner::settings::Replay;

/// Maximum number of requirements that may end because a response was not complete in time. After that the rest is skipped.
const MAX_HANGS: u32 = 8;

/// Maximum time for one case in addition to twice the declared time of the target.
const MAX_ORDINARY: Duration = Duration::from_secs(30);
const MAX_BACKGROUND: Duration = Duration::from_mins(2);
/// Some run a dozen commands of the set-up.
const MAX_ALONE: Duration = Duration::from_mins(10);

/// Time after the deadline in which a failed case may still be repeated: a finding is worth more than the last seconds.
const MAX_CONFIRMATION: Duration = Duration::from_secs(10);

/// Reason for undecided requirements after an interrupt.
const INTERRUPTED: &str = "the run was interrupted";
/// Reason for undecided requirements after the first failure.
const FAILED_FAST: &str = "another requirement failed (--fail-fast)";

impl Stage<'_> {
    /// Runs the cases with these indices.
    pub(super) async fn examine(
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
        RequirementResult {
            requirement: Arc::clone(requirement),
            feature: self.contract.feature(requirement),
            outcome,
            cases,
            duration: begun.elapsed(),
            requests: BTreeMap::new(),
            responses: BTreeMap::new(),
        }
    }

    /// Returns true if quotas are scarce, and the exchanges of others show as much as the requirement's own case would.
    fn is_shown_by_others(&self, requirement: &Requirement) -> bool {
        let is_replayed = self.settings.replays.iter().any(|replay| replay.shown_by == requirement.id);
        self.is_scarce
            && !is_replayed
            && requirement.is_shown_by_any_exchange()
            && (self.observers.concerned(requirement.id) > 0)
    }

    /// Returns the outcome of a requirement whose cases from `first` on do not run.
    fn obstacle(&self, requirement: &Requirement, first: u32) -> Option<Outcome> {
        let skipped = |reason: String| Some(Outcome::Skipped(reason));
        if self.gone.load(Ordering::Relaxed) {
            return skipped("the target stopped responding earlier in this run".to_owned());
        }
        if self.settings.interrupt.is_on() {
            return skipped(format!("{INTERRUPTED} before its turn"));
        }
        if self.failed.1.is_on() {
            return skipped(format!("{FAILED_FAST} before its turn"));
        }
        if self.hangs.load(Ordering::Relaxed) >= MAX_HANGS {
            return skipped(format!("the target did not respond in time to {MAX_HANGS} requirements"));
        }
        if let Some(need) = requirement.needs.iter().find(|need| !self.facts().capabilities.contains(need)) {
            return Some(Outcome::NotApplicable(need.absence().to_owned()));
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            let reason =
                if first > 0 { OUT_OF_TIME } else { "the time limit (--max-time) was reached before its turn" };
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
        let is_background = requirement.schedule == Schedule::Background;
        if !is_background {
            (self.sink)(Event::Begun { requirement, cases: cases.end });
        }
        let (id, first) = (requirement.id, cases.start);
        let progress = |done: u32| {
            (self.sink)(Event::Progress { id, cases: first + done, exchanges: self.transport.exchanges() });
        };
        let findings = watch::Sender::new(Findings::default());
        let execution = self.execution(requirement, cases, activity, &findings, &progress);
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

    fn execution<'case>(
        &'case self,
        requirement: &'case Arc<Requirement>,
        cases: Range<u32>,
        activity: &'case Arc<Activity>,
        findings: &'case watch::Sender<Findings>,
        progress: &'case (dyn Fn(u32) + Send + Sync),
    ) -> Execution<'case> {
        let limit = match requirement.schedule {
            Schedule::InTurn | Schedule::AfterAll => MAX_ORDINARY,
            Schedule::Background => MAX_BACKGROUND,
            Schedule::Alone(_) => MAX_ALONE,
        };
        Execution {
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
            limit: self.facts().ready_within * 2 + limit,
            deadline: self.deadline,
            flaky: self.settings.flaky,
            retries: self.settings.retries,
            shrinks: self.settings.shrinks,
            findings,
            progress,
        }
    }

    /// Repeats a case in whose exchanges an observer found something. The result of the case itself does not count.
    pub(super) async fn repeat_case(&self, requirement: &Arc<Requirement>, origin: &Origin) {
        if self.settings.interrupt.is_on() {
            return;
        }
        let (activity, findings, progress) = (Arc::default(), watch::Sender::new(Findings::default()), |_: u32| {});
        let execution = self.execution(requirement, 0..0, &activity, &findings, &progress);
        let _ = tokio::time::timeout(MAX_CONFIRMATION, execution.copies(origin.case_index, 0, &origin.case, 1)).await;
    }

    /// Returns when a running case must end too, with the reason.
    async fn cut_short(&self, mut findings: watch::Receiver<Findings>) -> &'static str {
        let out_of_time = async {
            let Some(deadline) = self.deadline else { return std::future::pending().await };
            tokio::time::sleep_until(deadline).await;
            let is_decided = findings.wait_for(|findings| !findings.has_open_suspect());
            let _ = tokio::time::timeout(MAX_CONFIRMATION, is_decided).await;
        };
        tokio::select! {
            () = out_of_time => "the time limit (--max-time) was reached",
            () = self.settings.interrupt.turned_on() => INTERRUPTED,
            () = self.failed.1.turned_on() => FAILED_FAST,
        }
    }

    /// Replays earlier failures first, then runs the cases.
    async fn replay_and_run(&self, execution: &Execution<'_>) -> (Outcome, u32) {
        let mut undecided = None;
        let mut repeated = 0;
        // Copies of a check would move one clock.
        let has_copies = self.settings.only_replays && !matches!(execution.requirement.schedule, Schedule::Alone(_));
        let effort = if has_copies { Effort::Thorough } else { Effort::Once };
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

    /// Checks after a failure without an HTTP response whether the target still responds.
    async fn check_alive(&self, failure: &Failure) {
        if !failure.finding.is_without_response() {
            return;
        }
        if failure.is_timeout() {
            self.hangs.fetch_add(1, Ordering::Relaxed);
        }
        if self.transport.ask(self.contract.probe()).await.is_err() {
            self.gone.store(true, Ordering::Relaxed);
        }
    }
}
