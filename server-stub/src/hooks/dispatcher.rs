//! The loop that sends what is due and records what came of it. Sending is in `sender`, deciding in `domain::hook`.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::domain::backoff::Backoff;
use crate::domain::clock::Clock;
use crate::domain::failpoint::{self, Point};
use crate::domain::hook::{AttemptDecision, decide_attempt};
use crate::domain::retry_schedule::RetrySchedule;
use crate::domain::store::{ClaimedDelivery, Fenced, Places, Result, Store};
use crate::domain::wakeup::Wakeups;

use super::Sender;
use super::sender::ATTEMPT;

/// How long a claim holds. It is not renewed, so it must outlive an attempt by far, or a slow one would be sent twice.
const LEASE: Duration = Duration::from_mins(1);
/// How long a due delivery may wait when no hint comes.
const POLL: Duration = Duration::from_secs(1);
/// Deliveries in flight.
const IN_FLIGHT: usize = 64;
/// Deliveries in flight to one endpoint: a slow receiver must not take all places.
const PER_ENDPOINT: u32 = 5;

const _: () = assert!(LEASE.as_secs() >= 2 * ATTEMPT.as_secs(), "a lease must outlive its work");

/// Sends hooks until it is stopped.
pub struct Dispatcher {
    desk: Arc<Desk>,
    wakeups: Arc<Wakeups>,
}

/// What every delivery's task needs.
struct Desk {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    sender: Sender,
    schedule: RetrySchedule,
}

impl Dispatcher {
    /// A dispatcher that sends what is due through `sender`, and what fails again by `schedule`.
    pub fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        wakeups: Arc<Wakeups>,
        sender: Sender,
        schedule: RetrySchedule,
    ) -> Self {
        Self { desk: Arc::new(Desk { store, clock, sender, schedule }), wakeups }
    }

    /// Works until `stop` is cancelled, then waits for the answers to what it sent. A failing database slows it down and
    /// never ends it.
    pub async fn run(self, stop: CancellationToken) {
        let mut tasks = JoinSet::new();
        let mut backoff = Backoff::default();
        while !stop.is_cancelled() {
            match self.send_due(&mut tasks).await {
                Ok(()) => backoff.reset(),
                Err(error) => {
                    tracing::warn!(%error, "the dispatcher could not reach its queue");
                    tokio::select! {
                        () = stop.cancelled() => {},
                        () = sleep(backoff.next_pause()) => {},
                    }
                    continue;
                }
            }
            tokio::select! {
                () = stop.cancelled() => {},
                () = self.wakeups.deliveries.notified() => {},
                // A free place may let a delivery of the same endpoint go.
                Some(_) = tasks.join_next(), if !tasks.is_empty() => {},
                () = sleep(POLL) => {},
            }
            while tasks.try_join_next().is_some() {}
        }
        // No attempt takes longer; what is not recorded by then is sent again under the same id.
        drop(timeout(2 * ATTEMPT, async { while tasks.join_next().await.is_some() {} }).await);
    }

    async fn send_due(&self, tasks: &mut JoinSet<()>) -> Result<()> {
        let free = u32::try_from(IN_FLIGHT - tasks.len()).unwrap_or(0);
        if free == 0 {
            return Ok(());
        }
        let now = self.desk.clock.now();
        let places = Places { per_endpoint: PER_ENDPOINT, fewer: HashMap::new() };
        for delivery in self.desk.store.claim_deliveries(free, &places, now, now.plus(failpoint::lease(LEASE))).await? {
            tasks.spawn(Arc::clone(&self.desk).deliver(delivery));
        }
        Ok(())
    }
}

impl Desk {
    async fn deliver(self: Arc<Self>, delivery: ClaimedDelivery) {
        failpoint::hit(Point::HookBeforeHttp);
        let attempt = self.sender.send(&delivery, self.clock.now()).await;
        failpoint::hit(Point::HookAfterHttp);
        let decided_at = self.clock.now();
        let decision = decide_attempt(&attempt, delivery.number, decided_at, &self.schedule, &mut rand::rng());
        if decision != AttemptDecision::Succeeded {
            tracing::info!(
                delivery_id = %delivery.id, endpoint_id = %delivery.endpoint_id, attempt = delivery.number,
                status = attempt.response_status, error = attempt.error, ?decision, "a hook was not delivered"
            );
        }
        let mut backoff = Backoff::default();
        let given_up_at = Instant::now() + LEASE;
        loop {
            match self.store.record_attempt(&delivery, &attempt, decision, decided_at).await {
                Ok(Fenced::Recorded) => return,
                Ok(Fenced::Lost) => {
                    tracing::info!(delivery_id = %delivery.id, "an attempt was not recorded: the delivery is gone or taken");
                    return;
                }
                Err(error) if Instant::now() >= given_up_at => {
                    tracing::warn!(delivery_id = %delivery.id, %error, "an attempt was not recorded; it will be repeated");
                    return;
                }
                Err(_) => sleep(backoff.next_pause()).await,
            }
        }
    }
}

impl fmt::Debug for Dispatcher {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Dispatcher").field("sender", &self.desk.sender).finish_non_exhaustive()
    }
}
