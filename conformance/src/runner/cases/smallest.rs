//! Shrinks a confirmed failure.

use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::execution::{Execution, Ran};
use super::repetition::Repeated;
use crate::check::Halt;
use crate::runner::outcome::Failure;
use crate::strategies::Draw;

/// Maximum number of cases that are tried to shrink one failure, and maximum time.
const MAX_TRIES: usize = 400;
const MAX_TIME: Duration = Duration::from_secs(20);

/// A smaller case.
struct Candidate {
    case: Value,
    /// For each earlier candidate, whether it failed. Together with the seed they lead to this one.
    earlier: Vec<bool>,
}

impl Execution<'_> {
    /// Returns the smallest case found in time that fails like `failure`, also when it is repeated.
    pub(super) async fn smallest(&self, failure: Box<Failure>) -> Box<Failure> {
        let smaller = self.shrunk(failure.clone()).await;
        let is_smaller = smaller.shrink_steps > failure.shrink_steps;
        if is_smaller && matches!(self.repeated(&smaller, false).await, Repeated::Failed) {
            self.findings.send_modify(|findings| findings.confirm(smaller.clone()));
            return smaller;
        }
        failure
    }

    async fn shrunk(&self, mut failure: Box<Failure>) -> Box<Failure> {
        let drawn = self.requirement.draw(self.space, &mut self.source(&failure));
        if failure.finding.is_timeout() || drawn != failure.case {
            return failure;
        }
        let (begun, mut tried, mut have_failed) = (Instant::now(), 0, Vec::new());
        loop {
            let mut batch = self.candidates(&failure, &have_failed);
            if batch.is_empty() || tried >= MAX_TRIES || begun.elapsed() >= MAX_TIME {
                return failure;
            }
            let smaller = self.first_like(&failure, &batch, tried).await;
            // Ignore the candidates after the one that failed: otherwise the result would depend on the number of parallel cases.
            batch.truncate(smaller.as_ref().map_or(batch.len(), |(at, _)| at + 1));
            tried += batch.len();
            have_failed = batch.pop().map(|last| last.earlier).unwrap_or_default();
            have_failed.push(smaller.is_some());
            if let Some((_, smaller)) = smaller {
                failure = smaller;
            }
        }
    }

    fn source(&self, failure: &Failure) -> Draw {
        Draw::new(self.seed, self.requirement.id, failure.case_index)
    }

    /// Returns as many next candidates as run in parallel. Each assumes that those before it pass.
    fn candidates(&self, failure: &Failure, have_failed: &[bool]) -> Vec<Candidate> {
        let mut draw = self.source(failure);
        let (mut found, mut earlier) = (Vec::new(), Vec::new());
        self.requirement.draw(self.space, &mut draw);
        let mut has_smaller = draw.simplify();
        while has_smaller && found.len() < self.in_flight.max(1) {
            let case = self.requirement.draw(self.space, &mut draw);
            let known = have_failed.get(earlier.len()).copied();
            // A change was undone, or concerns a part that the case does not show.
            let fails = known.unwrap_or(case == failure.case);
            if known.is_none() && !fails {
                found.push(Candidate { case, earlier: earlier.clone() });
            }
            earlier.push(fails);
            has_smaller = if fails { draw.simplify() } else { draw.complicate() };
        }
        found
    }

    /// Returns the first case of `batch` that fails like `failure`, and its index.
    async fn first_like(&self, failure: &Failure, batch: &[Candidate], tried: usize) -> Option<(usize, Box<Failure>)> {
        let index = failure.case_index;
        let attempts = batch
            .iter()
            .enumerate()
            .map(|(at, candidate)| self.one(format!("{index}s{tried}x{at}"), index, candidate.case.clone()));
        let ran = futures::future::join_all(attempts).await;
        let like = |(candidate, ran): (&Candidate, Ran)| match ran.verdict {
            Err(Halt::Fail(found)) if found.is_like(&failure.finding) && !ran.shown.was_held_up(&found) => {
                let mut smaller = ran.shown.into_failure(found, index, candidate.case.clone());
                smaller.shrink_steps = failure.shrink_steps + 1;
                Some(smaller)
            }
            _ => None,
        };
        batch.iter().zip(ran).enumerate().find_map(|(at, tried)| Some((at, like(tried)?)))
    }
}
