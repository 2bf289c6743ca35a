//! Runs one delivery from its claim to its recorded attempt. `claims` claims deliveries, `recorder` records attempts.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::domain::clock::Clock;
use crate::domain::event::MAX_BODY_BYTES;
use crate::domain::hook::Attempt;
use crate::domain::retry_schedule::{AttemptDecision, RetrySchedule, decide_attempt};
use crate::domain::store::{AttemptRecord, ClaimedDelivery};
use crate::failpoints::{self, Point};
use crate::metrics::{HookOutcome, Metrics};

use super::capacity::SendingSlots;
use super::recorder::RecorderHandle;
use super::{NotSent, Sender, Sent, Tuning};

/// Duration of a lease. It is not renewed, so it must be much longer than an attempt; otherwise slow hooks would be sent twice.
pub(super) const LEASE: Duration = Duration::from_mins(1);

const _: () = assert!(LEASE.as_secs() >= 2 * Tuning::MAX_ATTEMPT_TIMEOUT.as_secs(), "a lease must outlive its work");

/// Runs claimed deliveries, each in a separate task.
pub(super) struct DeliveryRunner {
    pub(super) clock: Arc<dyn Clock>,
    pub(super) sender: Sender,
    pub(super) schedule: RetrySchedule,
    pub(super) metrics: Arc<Metrics>,
    pub(super) slots: SendingSlots,
    pub(super) records: RecorderHandle,
    /// Claimed deliveries that were not sent.
    pub(super) unsent: Mutex<Vec<ClaimedDelivery>>,
}

impl DeliveryRunner {
    /// Takes the deliveries that were not sent.
    pub(super) fn take_unsent(&self) -> Vec<ClaimedDelivery> {
        std::mem::take(&mut *self.unsent.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Sends a delivery, or adds it to the unsent ones.
    pub(super) async fn run(self: Arc<Self>, delivery: ClaimedDelivery, latest: Instant, stop: CancellationToken) {
        if let Some(unsent) = self.deliver(delivery, latest, stop).await {
            self.unsent.lock().unwrap_or_else(PoisonError::into_inner).push(unsent);
        }
    }

    /// Sends a delivery as soon as a slot is free. Returns the delivery if it was not sent: because `stop` was cancelled, or
    /// because `latest` has passed and too little of its lease is left.
    async fn deliver(
        &self,
        delivery: ClaimedDelivery,
        latest: Instant,
        stop: CancellationToken,
    ) -> Option<ClaimedDelivery> {
        let Some(slot) = self.slots.acquire(&stop).await else { return Some(delivery) };
        if Instant::now() > latest {
            tracing::warn!(delivery_id = %delivery.id, "a delivery waited too long and was not sent; the next claim sends it");
            return Some(delivery);
        }
        let bytes = delivery.body.len();
        if bytes > MAX_BODY_BYTES {
            tracing::error!(event_id = delivery.event_id, bytes, "the body of a webhook is larger than the limit");
        }
        failpoints::hit(Point::HookBeforeHttp);
        let Sent { attempt, not_sent } = self.sender.send(&delivery, self.clock.wall()).await;
        failpoints::hit(Point::HookAfterHttp);
        drop(slot);
        let decided_at = self.clock.moment();
        let decision = decide_attempt(&attempt, delivery.number, decided_at.steady, &self.schedule, rand::random());
        self.metrics.hook_attempted(outcome(decision, &attempt, not_sent), Duration::from_millis(attempt.duration_ms));
        if decision != AttemptDecision::Succeeded {
            tracing::info!(
                delivery_id = %delivery.id, endpoint_id = %delivery.endpoint_id, attempt = delivery.number,
                status = attempt.response_status, error = attempt.error, ?decision, "a hook was not delivered"
            );
        }
        self.records.add(AttemptRecord { delivery, attempt, decision, decided_at }).await;
        None
    }
}

/// Returns the outcome for the metrics. The end of a delivery takes precedence over the reason why this attempt failed.
const fn outcome(decision: AttemptDecision, attempt: &Attempt, not_sent: Option<NotSent>) -> HookOutcome {
    match decision {
        AttemptDecision::Succeeded => HookOutcome::Succeeded,
        AttemptDecision::Gone => HookOutcome::Gone,
        AttemptDecision::Aborted => HookOutcome::Aborted,
        AttemptDecision::Exhausted => HookOutcome::Exhausted,
        AttemptDecision::RetryAt(_) => match not_sent {
            Some(NotSent::RefusedAddress) => HookOutcome::RefusedAddress,
            Some(NotSent::Unsigned) => HookOutcome::Unsigned,
            None if attempt.timed_out => HookOutcome::TimedOut,
            None => HookOutcome::Retried,
        },
    }
}
