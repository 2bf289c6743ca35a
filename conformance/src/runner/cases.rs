//! Running the cases of one requirement, several in flight, and making the first failure smaller.
//!
//! Neither the number in flight nor the order of answers changes what is sent or which case is reported.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::FutureExt;
use futures::stream::{FuturesUnordered, StreamExt};
use serde_json::Value;

use super::outcome::{Failure, Outcome};
use super::shrink;
use crate::requirements::{
    Capability, Context, Exchange, Finding, Halt, HookRequest, Origin, Requirement, Verdict, clean_up,
};
use crate::strategies::{Draw, Space};

/// Candidates that are run at most while one failure is made smaller, and for how long.
const SHRINK_CANDIDATES: usize = 400;
const SHRINK_TIME: Duration = Duration::from_secs(10);

/// How the cases are run.
pub(crate) struct Execution<'run> {
    pub(crate) requirement: &'run Arc<Requirement>,
    pub(crate) space: &'run Space,
    pub(crate) context: &'run Context,
    pub(crate) seed: u64,
    pub(crate) cases: u32,
    pub(crate) in_flight: usize,
    /// Longest time for one case.
    pub(crate) limit: Duration,
    /// No case begins after this.
    pub(crate) deadline: Option<Instant>,
    /// Called with the number of finished cases.
    pub(crate) progress: &'run (dyn Fn(u32) + Send + Sync),
}

/// One finished case.
struct Ran {
    verdict: Verdict,
    trace: Vec<Arc<Exchange>>,
    /// The hooks of a case that failed, when the requirement is about hooks.
    received: Vec<HookRequest>,
}

impl Execution<'_> {
    /// Runs everything; the outcome and how many cases ran.
    pub(crate) async fn run(&self) -> (Outcome, u32) {
        let mut running = FuturesUnordered::new();
        let mut halted: BTreeMap<u32, (Value, Ran)> = BTreeMap::new();
        let mut next = 0;
        let mut done = 0;
        let mut out_of_time = false;
        loop {
            while next < self.cases && running.len() < self.in_flight.max(1) && halted.is_empty() {
                if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    out_of_time = true;
                    break;
                }
                let mut draw = Draw::new(self.seed, self.requirement.id, next);
                let case = self.requirement.draw(self.space, &mut draw);
                running.push(self.numbered(next, case));
                next += 1;
            }
            let Some((index, case, ran)) = running.next().await else {
                break;
            };
            done += 1;
            (self.progress)(done);
            if ran.verdict.is_err() {
                halted.insert(index, (case, ran));
            }
        }
        let outcome = self.conclude(halted, out_of_time).await;
        (outcome, done)
    }

    /// Cases begin in the order of their index, so the lowest index that halts is always the same.
    async fn conclude(&self, halted: BTreeMap<u32, (Value, Ran)>, out_of_time: bool) -> Outcome {
        let mut other = None;
        for (index, (case, ran)) in halted {
            match ran.verdict {
                Err(Halt::Fail(finding)) => {
                    return Outcome::Failed(Box::new(
                        self.smallest(index, case, finding, (ran.trace, ran.received)).await,
                    ));
                }
                Err(Halt::Inconclusive(reason)) => {
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
            None if out_of_time => Outcome::Inconclusive("the time budget ended before all cases ran".to_owned()),
            None => Outcome::Passed,
        }
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
                Err(Halt::Inconclusive(reason)) => undecided = Some(Outcome::Inconclusive(reason)),
                Err(Halt::Error(reason)) => undecided = Some(Outcome::Error(reason)),
                Ok(()) => {}
            }
        }
        undecided
    }

    async fn one(&self, label: String, case_index: u32, case: Value) -> Ran {
        let name = format!("{}-{label}", short(self.requirement.id));
        let origin = Origin { requirement: self.requirement.id, case_index, case: case.clone() };
        let context = self.context.for_case(&name, origin);
        let check = self.requirement.check(context.clone(), case);
        let guarded = AssertUnwindSafe(check).catch_unwind();
        let verdict = match tokio::time::timeout(self.limit, guarded).await {
            Ok(Ok(verdict)) => verdict,
            Ok(Err(_)) => Err(Halt::Error("the check itself panicked".to_owned())),
            Err(_) => Err(Halt::Inconclusive(format!("a case took longer than {} s", self.limit.as_secs()))),
        };
        let trace = context.trace();
        let is_about_hooks = self.requirement.needs.contains(&Capability::Hooks);
        let shows_hooks = is_about_hooks && matches!(verdict, Err(Halt::Fail(_)));
        let received = if shows_hooks { context.received() } else { Vec::new() };
        if verdict.is_err() {
            clean_up(&context).await;
        }
        Ran { verdict, trace, received }
    }
}

/// Letters and digits that tell one requirement's names from another's.
fn short(id: &str) -> String {
    id.split(['.', '-']).map(|word| word.chars().take(3).collect::<String>()).collect()
}
