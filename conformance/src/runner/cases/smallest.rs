//! Making a confirmed failure smaller.

use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::candidates::candidates;
use super::execution::{Execution, Ran};
use crate::check::Halt;
use crate::runner::outcome::Failure;

/// Candidates that are run at most while one failure is made smaller, and for how long.
const MAX_CANDIDATES: usize = 400;
const MAX_TIME: Duration = Duration::from_secs(20);

impl Execution<'_> {
    /// The smallest case that fails like `failure`, as far as it was found in time.
    pub(super) async fn smallest(&self, mut failure: Box<Failure>) -> Box<Failure> {
        let Some(focus) = self.requirement.focus.filter(|_| !failure.finding.is_hang()) else {
            return failure;
        };
        let lateness = self.context.lateness();
        let (begun, late_before, mut tried) = (Instant::now(), lateness.total(), 0);
        loop {
            let mut smaller = candidates(&failure.case, focus);
            smaller.retain(|candidate| self.requirement.accepts(self.space, candidate));
            let mut found = None;
            for batch in smaller.chunks(self.in_flight.max(1)) {
                let late = lateness.total().saturating_sub(late_before);
                if tried >= MAX_CANDIDATES || begun.elapsed() >= MAX_TIME + late {
                    return failure;
                }
                found = self.first_like(&failure, batch, tried).await;
                // What ran beside the one that was found does not count: else the result would depend on how many run at a time.
                tried += found.as_ref().map_or(batch.len(), |(at, _)| at + 1);
                if found.is_some() {
                    break;
                }
            }
            let Some((_, found)) = found else { return failure };
            failure = found;
            self.findings.send_modify(|findings| findings.confirm(failure.clone()));
        }
    }

    /// The first of `batch` that fails like `failure`, and its place.
    async fn first_like(&self, failure: &Failure, batch: &[Value], tried: usize) -> Option<(usize, Box<Failure>)> {
        let index = failure.case_index;
        let attempts = batch
            .iter()
            .enumerate()
            .map(|(at, candidate)| self.one(format!("{index}s{tried}x{at}"), index, candidate.clone()));
        let ran = futures::future::join_all(attempts).await;
        let like = |(candidate, ran): (&Value, Ran)| match ran.verdict {
            Err(Halt::Fail(found)) if found.expected == failure.finding.expected && !ran.shown.was_held_up(&found) => {
                let mut smaller = ran.shown.into_failure(found, index, candidate.clone());
                smaller.shrink_steps = failure.shrink_steps + 1;
                Some(smaller)
            }
            _ => None,
        };
        batch.iter().zip(ran).enumerate().find_map(|(at, tried)| Some((at, like(tried)?)))
    }
}
