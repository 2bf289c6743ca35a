//! The loop that sends what is due and records what came of it. Sending is in `sender`, deciding in `domain::hook`.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::domain::backoff::Backoff;
use crate::domain::clock::Clock;
use crate::domain::failpoint::{self, Point};
use crate::domain::hook::{Attempt, AttemptDecision, decide_attempt};
use crate::domain::retry_schedule::RetrySchedule;
use crate::domain::store::{ClaimedDelivery, Fenced, Places, Result, Store};
use crate::domain::wakeup::Wakeups;
use crate::metrics::{HookOutcome, Metrics};

use super::rate::Buckets;
use super::{Sender, Sent, Tuning};

/// How long a claim holds. It is not renewed, so it must outlive an attempt by far, or a slow one would be sent twice.
const LEASE: Duration = Duration::from_mins(1);
/// How long recording the last attempts may take at the end.
const RECORDING: Duration = Duration::from_secs(5);
/// How long places that become free are gathered for one claim.
const GATHERING: Duration = Duration::from_millis(2);
/// How long a due delivery may wait when no hint comes.
const POLL: Duration = Duration::from_secs(1);
/// The shortest time until it is looked again whether a hook that came too soon for its endpoint may go.
const SHORTEST_POLL: Duration = Duration::from_millis(20);

const _: () = assert!(LEASE.as_secs() >= 2 * Tuning::MAX_ATTEMPT.as_secs(), "a lease must outlive its work");

/// Sends hooks until it is stopped.
pub struct Dispatcher {
    desk: Arc<Desk>,
    wakeups: Arc<Wakeups>,
    tuning: Tuning,
}

/// What every delivery's task needs.
struct Desk {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    sender: Sender,
    schedule: RetrySchedule,
    metrics: Arc<Metrics>,
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
        Self {
            desk: Arc::new(Desk { store, clock, sender, schedule, metrics: Arc::default() }),
            wakeups,
            tuning: Tuning::default(),
        }
    }

    /// The same dispatcher, counted by `metrics`.
    #[must_use]
    pub fn measured_by(mut self, metrics: Arc<Metrics>) -> Self {
        Arc::get_mut(&mut self.desk).expect("nothing else has the desk before the work begins").metrics = metrics;
        self
    }

    /// The same dispatcher, as fast and as patient as `tuning` says; its sender should be as patient.
    #[must_use]
    pub fn tuned(self, tuning: Tuning) -> Self {
        Self { tuning, ..self }
    }

    /// Works until `stop` is cancelled, then waits for the answers to what it sent. A failing database slows it down and
    /// never ends it.
    pub async fn run(self, stop: CancellationToken) {
        let mut tasks = JoinSet::new();
        let mut backoff = Backoff::default();
        let mut buckets = Buckets::new(self.tuning.rate);
        while !stop.is_cancelled() {
            match self.send_due(&mut tasks, &mut buckets).await {
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
            let pause = buckets.pause(Instant::now()).map_or(POLL, |pause| pause.clamp(SHORTEST_POLL, POLL));
            tokio::select! {
                () = stop.cancelled() => {},
                () = self.wakeups.deliveries.notified() => {},
                // A free place may let a delivery of the same endpoint go. More places become free in the same moment: one claim
                // serves them all.
                Some(_) = tasks.join_next(), if !tasks.is_empty() => if !tasks.is_empty() { sleep(GATHERING).await },
                () = sleep(pause) => {},
            }
            while tasks.try_join_next().is_some() {}
        }
        // No attempt takes longer; what is not recorded by then is sent again under the same id.
        drop(timeout(self.tuning.attempt + RECORDING, async { while tasks.join_next().await.is_some() {} }).await);
    }

    async fn send_due(&self, tasks: &mut JoinSet<()>, buckets: &mut Buckets) -> Result<()> {
        let free = self.tuning.in_flight.saturating_sub(u32::try_from(tasks.len()).unwrap_or(u32::MAX));
        if free == 0 {
            return Ok(());
        }
        let per_endpoint = self.tuning.per_endpoint;
        let places = Places { per_endpoint, fewer: buckets.fewer(per_endpoint, Instant::now()) };
        let now = self.desk.clock.now();
        for delivery in self.desk.store.claim_deliveries(free, &places, now, now.plus(failpoint::lease(LEASE))).await? {
            buckets.take(&delivery.endpoint_id, Instant::now());
            tasks.spawn(Arc::clone(&self.desk).deliver(delivery));
        }
        Ok(())
    }
}

impl Desk {
    async fn deliver(self: Arc<Self>, delivery: ClaimedDelivery) {
        failpoint::hit(Point::HookBeforeHttp);
        let Sent { attempt, is_refused } = self.sender.send(&delivery, self.clock.wall()).await;
        failpoint::hit(Point::HookAfterHttp);
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

impl fmt::Debug for Dispatcher {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Dispatcher").field("sender", &self.desk.sender).finish_non_exhaustive()
    }
}
