//! What one claimed delivery goes through: waiting for its place, being sent, and being recorded.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::domain::clock::Clock;
use crate::domain::failpoint::{self, Point};
use crate::domain::hook::{Attempt, AttemptDecision, decide_attempt};
use crate::domain::retry_schedule::RetrySchedule;
use crate::domain::store::{AttemptRecord, ClaimedDelivery};
use crate::metrics::{HookOutcome, Metrics};

use super::recorder::Records;
use super::traffic::Traffic;
use super::{Sender, Sent};

/// What every delivery's task needs.
pub(super) struct Desk {
    pub(super) clock: Arc<dyn Clock>,
    pub(super) sender: Sender,
    pub(super) schedule: RetrySchedule,
    pub(super) metrics: Arc<Metrics>,
    pub(super) traffic: Traffic,
    pub(super) records: Records,
}

impl Desk {
    /// Sends a delivery when there is a place for it, if that is before `latest`. After that there would be too little left of
    /// its lease; whoever claims it next sends it.
    pub(super) async fn deliver(self: Arc<Self>, delivery: ClaimedDelivery, latest: Instant) {
        let place = self.traffic.enter().await;
        if Instant::now() > latest {
            tracing::warn!(delivery_id = %delivery.id, "a hook waited too long for its turn; it is left to the next claim");
            return;
        }
        failpoint::hit(Point::HookBeforeHttp);
        let Sent { attempt, is_refused } = self.sender.send(&delivery, self.clock.wall()).await;
        failpoint::hit(Point::HookAfterHttp);
        drop(place);
        let decided_at = self.clock.now();
        let decision = decide_attempt(&attempt, delivery.number, decided_at, &self.schedule, &mut rand::rng());
        self.metrics
            .hook_attempted(outcome(decision, &attempt, is_refused), Duration::from_millis(attempt.duration_ms));
        if decision != AttemptDecision::Succeeded {
            tracing::info!(
                delivery_id = %delivery.id, endpoint_id = %delivery.endpoint_id, attempt = delivery.number,
                status = attempt.response_status, error = attempt.error, ?decision, "a hook was not delivered"
            );
        }
        self.records.add(AttemptRecord { delivery, attempt, decision, decided_at }).await;
    }
}

/// What the metrics call it: what ends a delivery comes before what went wrong this time.
const fn outcome(decision: AttemptDecision, attempt: &Attempt, is_refused: bool) -> HookOutcome {
    match decision {
        AttemptDecision::Succeeded => HookOutcome::Succeeded,
        AttemptDecision::Gone => HookOutcome::Gone,
        AttemptDecision::Aborted => HookOutcome::Aborted,
        AttemptDecision::Exhausted => HookOutcome::Exhausted,
        AttemptDecision::RetryAt(_) if is_refused => HookOutcome::RefusedAddress,
        AttemptDecision::RetryAt(_) if attempt.timed_out => HookOutcome::TimedOut,
        AttemptDecision::RetryAt(_) => HookOutcome::Retried,
    }
}
