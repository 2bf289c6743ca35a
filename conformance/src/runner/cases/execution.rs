//! Running cases, several in flight.
//!
//! Neither the number in flight nor the order of answers changes what is sent or which case is reported. A failed case is repeated in
//! `confirmation` and made smaller in `smallest`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::FutureExt;
use futures::stream::{FuturesUnordered, StreamExt};
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::timeout;

use super::confirmation::Repeated;
use super::findings::Findings;
use super::proxied::{Proxied, unless_rewritten};
use crate::check::{Capability, Context, Exchange, Finding, Halt, Origin, Precedence, Requirement, Verdict};
use crate::inbox::HookRequest;
use crate::runner::contract::Contract;
use crate::runner::outcome::{Failure, Outcome};
use crate::runner::settings::Flaky;
use crate::runner::transport::Transport;
use crate::strategies::{Draw, Space};

/// Findings that are not seen again, after which no further cases are run.
const MAX_FLAKY: usize = 3;

/// A case that waited longer for quotas may have failed because of that.
const SHORT_WAIT: Duration = Duration::from_millis(200);

/// Longest time for removing what a case has left, quotas waited for.
const MAX_CLEAN_UP: Duration = Duration::from_secs(70);

/// Why a search has no end.
pub(in crate::runner) const OUT_OF_TIME: &str = "the time budget (--max-time) was spent before all of its cases ran";

/// How the cases are run.
pub(crate) struct Execution<'run> {
    pub(crate) requirement: &'run Arc<Requirement>,
    pub(crate) space: &'run Space,
    pub(crate) context: &'run Context,
    pub(crate) transport: &'run Transport,
    pub(crate) contract: &'run dyn Contract,
    pub(crate) seed: u64,
    /// Their indices.
    pub(crate) cases: Range<u32>,
    /// Whether the requirement has no other case than one.
    pub(crate) is_single: bool,
    pub(crate) in_flight: usize,
    /// Longest time for one case.
    pub(crate) limit: Duration,
    /// No case begins after this.
    pub(crate) deadline: Option<Instant>,
    /// What becomes of a finding that is not seen again.
    pub(crate) flaky: Flaky,
    /// What was found so far, for whoever cuts the run short.
    pub(crate) findings: &'run watch::Sender<Findings>,
    /// Called with the number of finished cases.
    pub(crate) progress: &'run (dyn Fn(u32) + Send + Sync),
}

/// One finished case.
pub(super) struct Ran {
    pub(super) verdict: Verdict,
    pub(super) shown: Shown,
}

/// What a case leaves to look at.
pub(super) struct Shown {
    /// How long it waited for the target's quotas.
    pub(super) waited: Duration,
    trace: Vec<Arc<Exchange>>,
    /// The hooks of a case that failed, when the requirement is about hooks.
    received: Vec<HookRequest>,
}

impl Shown {
    /// Whether the case waited so long for the target's quotas that this may be why it came to `finding`.
    pub(super) fn was_held_up(&self, finding: &Finding) -> bool {
        let is_decisive = |exchange: &Arc<Exchange>| finding.decisive == Some(exchange.id());
        // Where the target has no room for a request, having waited for it was part of the case.
        let had_no_room = self.trace.iter().any(|exchange| is_decisive(exchange) && exchange.has_no_room());
        self.waited > SHORT_WAIT && !had_no_room
    }

    pub(super) fn into_failure(self, finding: Finding, case_index: u32, case: Value) -> Box<Failure> {
        let (exchanges, received) = (self.trace, self.received);
        Box::new(Failure { finding, case_index, case, shrink_steps: 0, exchanges, received, origin: None })
    }
}

impl Execution<'_> {
    /// Runs everything; the outcome and how many cases ran.
    pub(crate) async fn run(&self) -> (Outcome, u32) {
        let (mut next, mut done) = (self.cases.start, 0);
        let mut proxied = Proxied::default();
        loop {
            let (halted, out_of_time) = self.run_until_halted(&mut next, &mut done, &mut proxied).await;
            let has_halted = !halted.is_empty();
            let outcome = self.conclude(halted, out_of_time).await;
            let is_steady = self.findings.borrow().flaky_count() < MAX_FLAKY;
            let goes_on = has_halted && is_steady && matches!(outcome, Outcome::Passed);
            if !goes_on || next >= self.cases.end {
                let outcome = self.findings.borrow().with(outcome, self.flaky);
                return (proxied.or(outcome, done), done);
            }
        }
    }

    /// Begins cases from `next` on until one halts; those that have halted when all that were begun have ended.
    async fn run_until_halted(
        &self,
        next: &mut u32,
        done: &mut u32,
        proxied: &mut Proxied,
    ) -> (BTreeMap<u32, (Value, Ran)>, bool) {
        let mut running = FuturesUnordered::new();
        let mut halted = BTreeMap::new();
        let mut out_of_time = false;
        loop {
            while *next < self.cases.end && running.len() < self.in_flight.max(1) && halted.is_empty() {
                if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    out_of_time = true;
                    break;
                }
                let mut draw = Draw::new(self.seed, self.requirement.id, *next);
                let case = self.requirement.draw(self.space, &mut draw);
                running.push(self.numbered(*next, case));
                *next += 1;
            }
            let Some((index, case, ran)) = running.next().await else {
                return (halted, out_of_time);
            };
            *done += 1;
            (self.progress)(*done);
            match ran.verdict {
                Ok(()) => {}
                Err(Halt::Proxied(reason)) => proxied.add(index, reason),
                Err(_) => {
                    halted.insert(index, (case, ran));
                }
            }
        }
    }

    /// Cases begin in the order of their index, so the lowest index that halts is always the same.
    async fn conclude(&self, halted: BTreeMap<u32, (Value, Ran)>, out_of_time: bool) -> Outcome {
        let mut other = None;
        for (index, (case, ran)) in halted {
            match ran.verdict {
                Err(Halt::Fail(finding)) => {
                    let was_held_up = ran.shown.waited > SHORT_WAIT;
                    let failure = ran.shown.into_failure(finding, index, case);
                    self.findings.send_modify(|findings| findings.suspect(failure.clone()));
                    match self.repeated(&failure, was_held_up).await {
                        Repeated::Failed => {
                            self.findings.send_modify(|findings| findings.confirm(failure.clone()));
                            return Outcome::Failed(self.smallest(failure).await);
                        }
                        Repeated::Held(again) => {
                            self.findings.send_modify(|findings| findings.add_flaky(failure, again));
                            if self.flaky == Flaky::Fail && self.findings.borrow().has_flaky() {
                                return Outcome::Passed;
                            }
                        }
                        Repeated::Undecided(reason) => {
                            self.findings.send_modify(Findings::drop_suspect);
                            other.get_or_insert(Outcome::Inconclusive(reason));
                        }
                    }
                }
                Err(Halt::Inconclusive(reason) | Halt::Proxied(reason)) => {
                    other.get_or_insert(Outcome::Inconclusive(reason));
                }
                Err(Halt::Error(reason)) => {
                    other.get_or_insert(Outcome::Error(reason));
                }
                Ok(()) => {}
            }
        }
        match other {
            Some(outcome) => outcome,
            None if out_of_time => Outcome::Inconclusive(OUT_OF_TIME.to_owned()),
            None => Outcome::Passed,
        }
    }

    async fn numbered(&self, index: u32, case: Value) -> (u32, Value, Ran) {
        let ran = self.one(index.to_string(), index, case.clone()).await;
        (index, case, ran)
    }

    /// Runs `copies` of one case at once, as `round` of a replay; `None` when all hold. It failed in an earlier run, so to fail once
    /// more confirms it.
    pub(in crate::runner) async fn copies(
        &self,
        case_index: u32,
        round: usize,
        case: &Value,
        copies: usize,
    ) -> Option<Outcome> {
        let running =
            (0..copies).map(|copy| self.one(format!("{case_index}r{round}x{copy}"), case_index, case.clone()));
        let mut undecided = None;
        for Ran { verdict, shown } in futures::future::join_all(running).await {
            match verdict {
                Err(Halt::Fail(finding)) if shown.was_held_up(&finding) => {
                    undecided = Some(Outcome::Inconclusive(held_up(&finding, shown.waited)));
                }
                Err(Halt::Fail(finding)) => {
                    return Some(Outcome::Failed(shown.into_failure(finding, case_index, case.clone())));
                }
                Err(Halt::Inconclusive(reason) | Halt::Proxied(reason)) => {
                    undecided = Some(Outcome::Inconclusive(reason));
                }
                Err(Halt::Error(reason)) => undecided = Some(Outcome::Error(reason)),
                Ok(()) => {}
            }
        }
        undecided
    }

    pub(super) async fn one(&self, label: String, case_index: u32, case: Value) -> Ran {
        self.run_as(label, Precedence::Ordinary, case_index, case).await
    }

    pub(super) async fn run_as(&self, label: String, precedence: Precedence, case_index: u32, case: Value) -> Ran {
        let name = format!("{}-{label}", short(self.requirement.id));
        let origin = Origin { requirement: self.requirement.id, case_index, case: case.clone() };
        let context = self.context.for_case(&name, precedence, origin);
        let check = self.requirement.check(context.clone(), case);
        let guarded = AssertUnwindSafe(check).catch_unwind();
        let verdict = tokio::select! {
            checked = guarded => checked.unwrap_or_else(|_| Err(Halt::Error("the check itself panicked".to_owned()))),
            () = context.has_taken(self.limit) => {
                Err(Halt::Inconclusive(format!("a case took longer than {} s", self.limit.as_secs())))
            }
        };
        let trace = context.trace();
        let verdict = verdict.map_err(|halt| unless_rewritten(halt, &trace));
        let is_about_hooks = self.requirement.needs.contains(&Capability::HOOKS);
        let shows_hooks = is_about_hooks && matches!(verdict, Err(Halt::Fail(_)));
        let received = if shows_hooks { context.received() } else { Vec::new() };
        let waited = context.waited_for_quotas();
        if verdict.is_err() {
            // What this does not come to stays queued at the target, and harms nothing.
            let _ = timeout(MAX_CLEAN_UP, self.contract.clean_up(&context)).await;
        }
        Ran { verdict, shown: Shown { waited, trace, received } }
    }
}

/// Why `finding` is not decided.
pub(super) fn held_up(finding: &Finding, waited: Duration) -> String {
    format!(
        "the case failed (expected {}, observed {}), but it had waited {:.1} s for the target's quotas, which may be why",
        finding.expected,
        finding.observed,
        waited.as_secs_f64()
    )
}

/// Letters and digits that tell one requirement's names from another's.
fn short(id: &str) -> String {
    id.split(['.', '-']).map(|word| word.chars().take(3).collect::<String>()).collect()
}
