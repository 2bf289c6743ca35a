//! Running the cases of one requirement, several in flight, and making the first failure smaller.
//!
//! Neither the number in flight nor the order of answers changes what is sent or which case is reported.

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::FutureExt;
use futures::stream::{FuturesUnordered, StreamExt};
use serde_json::Value;

use super::outcome::{Failure, Outcome};
use super::shrink;
use super::suite::Flaky;
use super::transport::Transport;
use crate::requirements::{
    Capability, Context, Exchange, Finding, Halt, HookRequest, Origin, Precedence, Requirement, Verdict, clean_up,
};
use crate::strategies::{Draw, Space};

/// Candidates that are run at most while one failure is made smaller, and for how long.
const SHRINK_CANDIDATES: usize = 400;
const SHRINK_TIME: Duration = Duration::from_secs(10);

/// Findings that are not seen again, after which no further cases are run.
const MAX_UNSTEADY: usize = 3;

/// A case that waited longer for quotas may have failed because of that.
const HELD_UP: Duration = Duration::from_millis(200);

/// Why a search has no end.
pub(super) const OUT_OF_TIME: &str = "the time budget (--max-time) was spent before all of its cases ran";

/// How the cases are run.
pub(crate) struct Execution<'run> {
    pub(crate) requirement: &'run Arc<Requirement>,
    pub(crate) space: &'run Space,
    pub(crate) context: &'run Context,
    pub(crate) transport: &'run Transport,
    pub(crate) seed: u64,
    /// Their indices.
    pub(crate) cases: Range<u32>,
    pub(crate) in_flight: usize,
    /// Longest time for one case.
    pub(crate) limit: Duration,
    /// No case begins after this.
    pub(crate) deadline: Option<Instant>,
    /// What becomes of a finding that is not seen again.
    pub(crate) flaky: Flaky,
    /// Called with the number of finished cases.
    pub(crate) progress: &'run (dyn Fn(u32) + Send + Sync),
}

/// What came of repeating a case that had failed.
enum Repeated {
    Failed,
    /// It did not fail again.
    Held(String),
    /// It did, and that may be due to a quota.
    Undecided(String),
}

/// Findings that were not seen again.
#[derive(Default)]
struct Unsteady {
    count: usize,
    /// The first one, and what came of repeating it.
    first: Option<(Box<Failure>, String)>,
    broken_connections: usize,
}

impl Unsteady {
    fn add(&mut self, failure: Failure, again: String) {
        self.count += 1;
        // One connection that breaks may be the network's doing.
        let is_broken = failure.finding.is_without_answer() && !failure.finding.is_hang();
        self.broken_connections += usize::from(is_broken);
        if !is_broken || self.broken_connections > 1 {
            self.first.get_or_insert((Box::new(failure), again));
        }
    }

    /// What becomes of the requirement whose other cases came to `outcome`.
    fn or(self, outcome: Outcome) -> Outcome {
        match (self.first, outcome) {
            (Some((failure, again)), Outcome::Passed | Outcome::Inconclusive(_)) => Outcome::Flaky { failure, again },
            (_, outcome) => outcome,
        }
    }
}

/// Cases that decided nothing because a proxy answered, or may have changed what the target was asked.
#[derive(Default)]
struct Proxied {
    count: u32,
    /// Why, of the case with the lowest index.
    first: Option<(u32, String)>,
}

impl Proxied {
    fn add(&mut self, index: u32, reason: String) {
        self.count += 1;
        if self.first.as_ref().is_none_or(|(known, _)| index < *known) {
            self.first = Some((index, reason));
        }
    }

    /// What becomes of the requirement whose other cases, of `done` in all, came to `outcome`.
    fn or(self, outcome: Outcome, done: u32) -> Outcome {
        match (self.first, outcome) {
            (Some((_, first)), Outcome::Passed) if self.count == done => {
                Outcome::Inconclusive(format!("not decided: {first}"))
            }
            (Some((_, first)), Outcome::Passed) => Outcome::Inconclusive(format!(
                "not decided in {} of {done} cases: {first}; the other cases held",
                self.count
            )),
            (_, outcome) => outcome,
        }
    }
}

/// One finished case.
struct Ran {
    verdict: Verdict,
    /// How long it waited for the target's quotas.
    held_up: Duration,
    trace: Vec<Arc<Exchange>>,
    /// The hooks of a case that failed, when the requirement is about hooks.
    received: Vec<HookRequest>,
}

impl Execution<'_> {
    /// Runs everything; the outcome and how many cases ran.
    pub(crate) async fn run(&self) -> (Outcome, u32) {
        let (mut next, mut done) = (self.cases.start, 0);
        let mut unsteady = Unsteady::default();
        let mut proxied = Proxied::default();
        loop {
            let (halted, out_of_time) = self.run_until_halted(&mut next, &mut done, &mut proxied).await;
            let has_halted = !halted.is_empty();
            let outcome = self.conclude(halted, out_of_time, &mut unsteady).await;
            let goes_on = has_halted && matches!(outcome, Outcome::Passed) && unsteady.count < MAX_UNSTEADY;
            if !goes_on || next >= self.cases.end {
                return (proxied.or(unsteady.or(outcome), done), done);
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
    async fn conclude(
        &self,
        halted: BTreeMap<u32, (Value, Ran)>,
        out_of_time: bool,
        unsteady: &mut Unsteady,
    ) -> Outcome {
        let mut other = None;
        for (index, (case, ran)) in halted {
            match ran.verdict {
                Err(Halt::Fail(finding)) => {
                    let again = match self.repeated(index, &case, &finding, ran.held_up).await {
                        Repeated::Held(again) => again,
                        Repeated::Undecided(reason) => {
                            other.get_or_insert(Outcome::Inconclusive(reason));
                            continue;
                        }
                        Repeated::Failed => {
                            let smallest = self.smallest(index, case, finding, (ran.trace, ran.received)).await;
                            return Outcome::Failed(Box::new(smallest));
                        }
                    };
                    let (exchanges, received) = (ran.trace, ran.received);
                    let (case_index, shrink_steps) = (index, 0);
                    let failure =
                        Failure { finding, case_index, case, shrink_steps, exchanges, received, origin: None };
                    unsteady.add(failure, again);
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
        if let (Flaky::Fail, Some((failure, again))) = (self.flaky, &mut unsteady.first) {
            failure.finding.observed = format!("{}; {again}", failure.finding.observed);
            return Outcome::Failed(failure.clone());
        }
        match other {
            Some(outcome) => outcome,
            None if out_of_time => Outcome::Inconclusive(OUT_OF_TIME.to_owned()),
            None => Outcome::Passed,
        }
    }

    /// Repeats a case that has failed: alone, and where many cases run, beside as many copies of itself. Where quotas held the case
    /// up, which may have been why it failed, they have room for the repetition.
    async fn repeated(&self, index: u32, case: &Value, finding: &Finding, held_up: Duration) -> Repeated {
        let is_alone = self.cases.len() == 1 || finding.is_hang() || held_up > HELD_UP;
        let rounds = if is_alone { vec![1] } else { vec![1, self.in_flight.max(1)] };
        let _held_back = if held_up > HELD_UP { Some(self.transport.make_room().await) } else { None };
        for (round, copies) in rounds.into_iter().enumerate() {
            let label = |copy| format!("{index}a{round}x{copy}");
            let copies = (0..copies).map(|copy| self.run_as(label(copy), Precedence::Repeated, index, case.clone()));
            for ran in futures::future::join_all(copies).await {
                match ran.verdict {
                    Err(Halt::Fail(found)) if ran.held_up > HELD_UP && !shows_no_room(&found, &ran.trace) => {
                        let seconds = ran.held_up.as_secs_f64();
                        return Repeated::Undecided(format!(
                            "it failed, but the target's quota held the case up for {seconds:.1} s while it ran"
                        ));
                    }
                    Err(Halt::Fail(_)) => return Repeated::Failed,
                    Err(Halt::Inconclusive(reason) | Halt::Proxied(reason) | Halt::Error(reason)) => {
                        return Repeated::Held(format!("repeating the case did not decide it: {reason}"));
                    }
                    Ok(()) => {}
                }
            }
        }
        Repeated::Held("the case held when it was repeated".to_owned())
    }

    async fn smallest(
        &self,
        case_index: u32,
        mut case: Value,
        mut finding: Finding,
        (mut exchanges, mut received): (Vec<Arc<Exchange>>, Vec<HookRequest>),
    ) -> Failure {
        let begun = Instant::now();
        let focus = self.requirement.focus.filter(|_| !finding.is_hang());
        let mut tried = 0;
        let mut shrink_steps = 0;
        'smaller: while tried < SHRINK_CANDIDATES && begun.elapsed() < SHRINK_TIME {
            let candidates: Vec<Value> = focus
                .map_or_else(Vec::new, |focus| shrink::candidates(&case, focus))
                .into_iter()
                .filter(|candidate| self.requirement.accepts(self.space, candidate))
                .collect();
            for batch in candidates.chunks(self.in_flight.max(1)) {
                tried += batch.len();
                let attempts = batch.iter().enumerate().map(|(at, candidate)| {
                    let label = format!("{case_index}s{tried}x{at}");
                    self.one(label, case_index, candidate.clone())
                });
                let results = futures::future::join_all(attempts).await;
                let smaller = batch.iter().zip(results).find_map(|(candidate, ran)| match ran.verdict {
                    Err(Halt::Fail(found)) if found.expected == finding.expected => {
                        Some((candidate.clone(), found, ran.trace, ran.received))
                    }
                    _ => None,
                });
                if let Some(smaller) = smaller {
                    (case, finding, exchanges, received) = smaller;
                    shrink_steps += 1;
                    continue 'smaller;
                }
                if tried >= SHRINK_CANDIDATES {
                    break;
                }
            }
            break;
        }
        Failure { finding, case_index, case, shrink_steps, exchanges, received, origin: None }
    }

    async fn numbered(&self, index: u32, case: Value) -> (u32, Value, Ran) {
        let ran = self.one(index.to_string(), index, case.clone()).await;
        (index, case, ran)
    }

    /// Runs `copies` of one case at once, as `round` of a replay; `None` when all hold.
    pub(super) async fn copies(&self, case_index: u32, round: usize, case: &Value, copies: usize) -> Option<Outcome> {
        let running =
            (0..copies).map(|copy| self.one(format!("{case_index}r{round}x{copy}"), case_index, case.clone()));
        let mut undecided = None;
        for ran in futures::future::join_all(running).await {
            match ran.verdict {
                Err(Halt::Fail(finding)) => {
                    let (case, exchanges, received) = (case.clone(), ran.trace, ran.received);
                    let failure =
                        Failure { finding, case_index, case, shrink_steps: 0, exchanges, received, origin: None };
                    return Some(Outcome::Failed(Box::new(failure)));
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

    async fn one(&self, label: String, case_index: u32, case: Value) -> Ran {
        self.run_as(label, Precedence::Ordinary, case_index, case).await
    }

    async fn run_as(&self, label: String, precedence: Precedence, case_index: u32, case: Value) -> Ran {
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
        let is_about_hooks = self.requirement.needs.contains(&Capability::Hooks);
        let shows_hooks = is_about_hooks && matches!(verdict, Err(Halt::Fail(_)));
        let received = if shows_hooks { context.received() } else { Vec::new() };
        if verdict.is_err() {
            clean_up(&context).await;
        }
        Ran { verdict, held_up: context.held_up(), trace, received }
    }
}

/// A finding, unless a proxy may have changed the path of the request that shows it.
fn unless_rewritten(halt: Halt, trace: &[Arc<Exchange>]) -> Halt {
    let Halt::Fail(finding) = &halt else {
        return halt;
    };
    let decisive = finding.decisive.and_then(|id| trace.iter().find(|exchange| exchange.id() == id));
    let rewritten = decisive.or(trace.last()).and_then(|exchange| exchange.path_rewritten());
    rewritten.map_or(halt, Halt::Proxied)
}

/// Whether the finding is that the target had no room for a request: then waiting for that was part of the case.
fn shows_no_room(finding: &Finding, trace: &[Arc<Exchange>]) -> bool {
    trace.iter().any(|exchange| finding.decisive == Some(exchange.id()) && exchange.has_no_room())
}

/// Letters and digits that tell one requirement's names from another's.
fn short(id: &str) -> String {
    id.split(['.', '-']).map(|word| word.chars().take(3).collect::<String>()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Proxied};

    #[test]
    fn cases_that_a_proxy_answered_leave_a_requirement_undecided() {
        let told = |indices: &[u32], done: u32| {
            let mut proxied = Proxied::default();
            indices.iter().for_each(|index| proxied.add(*index, format!("case {index}")));
            match proxied.or(Outcome::Passed, done) {
                Outcome::Inconclusive(reason) => reason,
                other => format!("{other:?}"),
            }
        };
        assert_eq!(told(&[], 3), "Passed");
        assert_eq!(told(&[2, 1], 2), "not decided: case 1");
        assert_eq!(told(&[2, 1], 8), "not decided in 2 of 8 cases: case 1; the other cases held");
    }
}
