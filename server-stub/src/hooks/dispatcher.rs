//! Loop that claims due deliveries. See `runner` for one delivery, and `domain::hook` for the retry decision.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::domain::backoff::Backoff;
use crate::domain::clock::Clock;
use crate::domain::error_chain::ErrorChain;
use crate::domain::retry_schedule::RetrySchedule;
use crate::domain::store::{ClaimedDelivery, EndpointCapacity, Result};
use crate::failpoints;
use crate::metrics::Metrics;
use crate::storage::Store;
use crate::wakeups::Wakeups;

use super::in_flight::InFlightLimit;
use super::rate_limit::TokenBuckets;
use super::recorder::Recorder;
use super::runner::DeliveryRunner;
use super::{Sender, Tuning};

/// Duration of a lease. It is not renewed, so it must be much longer than an attempt; otherwise slow hooks would be sent twice.
pub(super) const LEASE: Duration = Duration::from_mins(1);
/// How long a stopping dispatcher waits for the last attempts to be recorded.
const RECORD_TIMEOUT: Duration = Duration::from_secs(5);
/// How long freed slots are collected for one claim.
const BATCH_DELAY: Duration = Duration::from_millis(2);
/// Maximum delay of a due delivery if no wake-up arrives.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Minimum pause before the next claim when an endpoint has used up its rate.
const MIN_POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Maximum number of deliveries that are claimed and not yet recorded.
const MAX_CLAIMED: usize = 2048;

const _: () = assert!(LEASE.as_secs() >= 2 * Tuning::MAX_ATTEMPT_TIMEOUT.as_secs(), "a lease must outlive its work");

/// Sends hooks until it is stopped.
pub struct Dispatcher {
    store: Store,
    clock: Arc<dyn Clock>,
    wakeups: Arc<Wakeups>,
    sender: Sender,
    schedule: RetrySchedule,
    metrics: Arc<Metrics>,
    tuning: Tuning,
}

impl Dispatcher {
    /// Creates a dispatcher that sends due deliveries in `store` through `sender`. `schedule` defines the delays of retries.
    pub fn new(
        store: Store,
        clock: Arc<dyn Clock>,
        wakeups: Arc<Wakeups>,
        sender: Sender,
        schedule: RetrySchedule,
    ) -> Self {
        Self { store, clock, wakeups, sender, schedule, metrics: Arc::default(), tuning: Tuning::default() }
    }

    /// Returns the dispatcher with `metrics` attached.
    #[must_use]
    pub fn with_metrics(self, metrics: Arc<Metrics>) -> Self {
        Self { metrics, ..self }
    }

    /// Returns the dispatcher with the limits of `tuning`. Its sender should use the same limits.
    #[must_use]
    pub fn with_tuning(self, tuning: Tuning) -> Self {
        Self { tuning, ..self }
    }

    /// Runs until `stop` is cancelled. Then it releases unsent deliveries and waits for the responses to sent ones. A failing
    /// database slows the dispatcher down but never ends it.
    pub async fn run(self, stop: CancellationToken) {
        let Self { store, clock, wakeups, sender, schedule, metrics, tuning } = self;
        let (records, recorder) = Recorder::new(Arc::new(store.clone()));
        let in_flight_limit = InFlightLimit::new(tuning.in_flight);
        let runner = Arc::new(DeliveryRunner { clock, sender, schedule, metrics, in_flight_limit, records });
        let mut recording = JoinSet::new();
        recording.spawn(recorder.run());
        let mut claimer = Claimer {
            store,
            runner,
            tuning,
            buckets: TokenBuckets::new(tuning.rate_per_second),
            tasks: JoinSet::new(),
            unsent: Vec::new(),
            stop: stop.clone(),
        };
        let mut backoff = Backoff::default();
        while !stop.is_cancelled() {
            if let Err(error) = claimer.send_due().await {
                tracing::warn!(error = %ErrorChain(&error), "the dispatcher cannot read its queue; it retries");
                tokio::select! {
                    () = stop.cancelled() => {},
                    () = sleep(backoff.next_pause()) => {},
                }
                continue;
            }
            backoff.reset();
            let pause = claimer.pause();
            tokio::select! {
                () = stop.cancelled() => {},
                () = wakeups.deliveries.notified() => {},
                // A freed slot may serve another delivery to the same endpoint. More slots are freed at nearly the same time: wait
                // briefly, so that one claim serves them all.
                true = claimer.wait_for_ended() => if !claimer.tasks.is_empty() { sleep(BATCH_DELAY).await },
                () = sleep(pause) => {},
            }
            claimer.release_unsent().await;
        }
        // No attempt takes longer. An attempt that is not recorded by then is sent again under the same id.
        drop(timeout(tuning.attempt_timeout + RECORD_TIMEOUT, claimer.drain()).await);
    }
}

/// Claims due deliveries and hands them to the runner.
struct Claimer {
    store: Store,
    runner: Arc<DeliveryRunner>,
    tuning: Tuning,
    buckets: TokenBuckets,
    /// One task for each delivery that is claimed and not yet recorded. A task returns its delivery if it was not sent.
    tasks: JoinSet<Option<ClaimedDelivery>>,
    /// Claimed deliveries that were not sent.
    unsent: Vec<ClaimedDelivery>,
    stop: CancellationToken,
}

impl Claimer {
    async fn send_due(&mut self) -> Result<()> {
        let free = MAX_CLAIMED.saturating_sub(self.tasks.len());
        let limit = self.runner.in_flight_limit.claimable().min(u32::try_from(free).unwrap_or(u32::MAX));
        if limit == 0 {
            return Ok(());
        }
        let per_endpoint = self.tuning.per_endpoint;
        let capacity = EndpointCapacity { per_endpoint, reduced: self.buckets.reduced(per_endpoint, Instant::now()) };
        let now = self.runner.clock.moment();
        let latest = Instant::now() + LEASE.saturating_sub(self.tuning.attempt_timeout + RECORD_TIMEOUT);
        let claimed = self
            .store
            .claim_deliveries(limit, &capacity, now, now.steady.plus(failpoints::lease_duration(LEASE)))
            .await?;
        self.runner.in_flight_limit.add_waiting(u32::try_from(claimed.len()).unwrap_or(u32::MAX));
        for delivery in claimed {
            self.buckets.take_token(&delivery.endpoint_id, Instant::now());
            self.tasks.spawn(Arc::clone(&self.runner).deliver(delivery, latest, self.stop.clone()));
        }
        Ok(())
    }

    /// Waits until a task has ended. Returns `false` at once if there are no tasks.
    async fn wait_for_ended(&mut self) -> bool {
        let Some(ended) = self.tasks.join_next().await else { return false };
        self.unsent.extend(ended.ok().flatten());
        true
    }

    /// Releases the unsent deliveries of tasks that have ended.
    async fn release_unsent(&mut self) {
        while let Some(ended) = self.tasks.try_join_next() {
            self.unsent.extend(ended.ok().flatten());
        }
        if self.unsent.is_empty() {
            return;
        }
        let unsent = std::mem::take(&mut self.unsent);
        if let Err(error) = self.store.release_deliveries(unsent.into(), self.runner.clock.steady()).await {
            tracing::warn!(%error, "cannot release unsent deliveries; they are claimed again when their leases end");
        }
    }

    /// Waits until all sent deliveries are recorded. Releases unsent ones at once.
    async fn drain(&mut self) {
        while self.wait_for_ended().await {
            self.release_unsent().await;
        }
    }

    /// Returns the pause before the next claim if no wake-up arrives.
    fn pause(&self) -> Duration {
        self.buckets
            .time_until_token(Instant::now())
            .map_or(POLL_INTERVAL, |pause| pause.clamp(MIN_POLL_INTERVAL, POLL_INTERVAL))
    }
}

impl fmt::Debug for Dispatcher {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Dispatcher").field("sender", &self.sender).finish_non_exhaustive()
    }
}
