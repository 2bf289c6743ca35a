//! Shrinks a confirmed failure.

use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::candidates::candidates;
use super::execution::{Execution, Ran};
use crate::check::Halt;
use crate::runner::outcome::Failure;

/// Maximum number of candidates for shrinking one failure, and maximum time.
const MAX_CANDIDATES: usize = 400;
const MAX_TIME: Duration = Duration::from_secs(20);

impl Execution<'_> {
    /// Returns the smallest case found in time that fails like `failure`.
    pub(super) async fn smallest(&self, mut failure: Box<Failure>) -> Box<Failure> {
        let Some(focus) = self.requirement.focus.filter(|_| !failure.finding.is_timeout()) else {
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
                // Ignore the candidates after the one that failed: otherwise the result would depend on the number of parallel cases.
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

    /// Returns the first case of `batch` that fails like `failure`, and its index.
    async fn first_like(&self, failure: &Failure, batch: &[Value], tried: usize) -> Option<(usize, Box<Failure>)> {
        let index = failure.case_index;
        let attempts = batch
            .iter()
            .enumerate()
            .map(|(at, candidate)| self.one(format!("{index}s{tried}x{at}"), index, candidate.clone()));
        let ran = futures::future::join_all(attempts).await;
        let like = |(candidate, ran): (&Value, Ran)| match ran.verdict {
            Err(Halt::Fail(found)) if found.is_like(&failure.finding) && !ran.shown.was_held_up(&found) => {
                let mut smaller = ran.shown.into_failure(found, index, candidate.clone());
                smaller.shrink_steps = failure.shrink_steps + 1;
                Some(smaller)
            }
            _ => None,
        };
        batch.iter().zip(ran).enumerate().find_map(|(at, tried)| Some((at, like(tried)?)))
    }
}
