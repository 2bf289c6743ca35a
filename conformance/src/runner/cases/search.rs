//! Searches for a failing case: many at a time, in the order of their index.
//!
//! `execution` runs a case, `repetition` repeats a failed one, `smallest` shrinks it.

use std::collections::BTreeMap;

use futures::stream::{FuturesUnordered, StreamExt};
use serde_json::Value;
use tokio::time::Instant;

use super::execution::{Execution, Ran, SHORT_WAIT};
use super::findings::Findings;
use super::repetition::Repeated;
use super::undecided::Undecided;
use crate::check::Halt;
use crate::runner::outcome::Outcome;
use crate::runner::settings::Flaky;
use crate::strategies::Draw;

/// Maximum number of findings that are not seen again. After that no further case runs.
const MAX_FLAKY: usize = 3;

/// The reason why a search is incomplete.
pub(in crate::runner) const OUT_OF_TIME: &str = "the time limit (--max-time) was reached before all of its cases ran";

impl Execution<'_> {
    /// Runs all cases. Returns the outcome and the number of cases that ran.
    pub(crate) async fn run(&self) -> (Outcome, u32) {
        let (mut next, mut done) = (self.cases.start, 0);
        let (mut proxied, mut unmet) = (Undecided::default(), Undecided::default());
        loop {
            let (halted, out_of_time) = self.run_until_halted(&mut next, &mut done, (&mut proxied, &mut unmet)).await;
            let has_halted = !halted.is_empty();
            let outcome = self.conclude(halted, out_of_time).await;
            let is_steady = self.findings.borrow().flaky_count() < MAX_FLAKY;
            let goes_on = has_halted && is_steady && matches!(outcome, Outcome::Passed);
            if !goes_on || next >= self.cases.end {
                let outcome = self.findings.borrow().with(outcome, self.flaky);
                // If this is the second part, the cases of the first one have passed.
                let met_before = self.cases.start > 0;
                return (proxied.proxied(unmet.unmet(outcome, done, met_before), done), done);
            }
        }
    }

    /// Starts cases from `next` on until one halts. Returns the halted cases once all started cases have ended.
    async fn run_until_halted(
        &self,
        next: &mut u32,
        done: &mut u32,
        (proxied, unmet): (&mut Undecided, &mut Undecided),
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
                Err(Halt::Unmet(reason)) => unmet.add(index, reason),
                Err(_) => {
                    halted.insert(index, (case, ran));
                }
            }
        }
    }

    /// Decides the outcome. Cases start in the order of their index, so the lowest index that halts is always the same.
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
                            let shown = if self.shrinks { self.smallest(failure).await } else { failure };
                            return Outcome::Failed(shown);
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
                Err(Halt::Inconclusive(reason) | Halt::Unmet(reason) | Halt::Proxied(reason)) => {
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
}
