//! The loop that claims what is due. What is done with one delivery is in `runner`, what follows in `domain::hook`.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::domain::backoff::Backoff;
use crate::domain::clock::Clock;
use crate::domain::retry_schedule::RetrySchedule;
use crate::domain::store::{DeliveryQueue, EndpointCapacity, Result};
use crate::failpoints;
use crate::metrics::Metrics;
use crate::wakeups::Wakeups;

use super::rate::Buckets;
use super::recorder::Recorder;
use super::runner::DeliveryRunner;
use super::traffic::Traffic;
use super::{Sender, Tuning};

/// How long a claim holds. It is not renewed, so it must outlive an attempt by far, or a slow one would be sent twice.
pub(super) const LEASE: Duration = Duration::from_mins(1);
/// How long recording the last attempts may take at the end.
const RECORDING: Duration = Duration::from_secs(5);
/// How long freed slots are gathered for one claim.
const GATHERING: Duration = Duration::from_millis(2);
/// How long a due delivery may wait when no hint comes.
const POLL: Duration = Duration::from_secs(1);
/// The shortest pause before an endpoint that has used up its rate is looked at again.
const SHORTEST_POLL: Duration = Duration::from_millis(20);
/// Deliveries that are claimed and not recorded yet, at most.
const HELD: usize = 2048;

const _: () = assert!(LEASE.as_secs() >= 2 * Tuning::MAX_ATTEMPT.as_secs(), "a lease must outlive its work");

/// Sends hooks until it is stopped.
pub struct Dispatcher {
    queue: Arc<dyn DeliveryQueue>,
    clock: Arc<dyn Clock>,
    wakeups: Arc<Wakeups>,
    sender: Sender,
    schedule: RetrySchedule,
    metrics: Arc<Metrics>,
    tuning: Tuning,
}

impl Dispatcher {
    /// A dispatcher that sends what is due in `queue` through `sender`, and what fails again by `schedule`.
    pub fn new(
        queue: Arc<dyn DeliveryQueue>,
        clock: Arc<dyn Clock>,
        wakeups: Arc<Wakeups>,
        sender: Sender,
        schedule: RetrySchedule,
    ) -> Self {
        Self { queue, clock, wakeups, sender, schedule, metrics: Arc::default(), tuning: Tuning::default() }
    }

    /// The same dispatcher, counted by `metrics`.
    #[must_use]
    pub fn measured_by(self, metrics: Arc<Metrics>) -> Self {
        Self { metrics, ..self }
    }

    /// The same dispatcher, as fast and as patient as `tuning` says; its sender should be as patient.
    #[must_use]
    pub fn tuned(self, tuning: Tuning) -> Self {
        Self { tuning, ..self }
    }

    /// Works until `stop` is cancelled, then waits for the answers to what it sent. A failing database slows it down and
    /// never ends it.
    pub async fn run(self, stop: CancellationToken) {
        let Self { queue, clock, wakeups, sender, schedule, metrics, tuning } = self;
        let (records, recorder) = Recorder::new(Arc::clone(&queue));
        let traffic = Traffic::new(tuning.in_flight);
        let runner = Arc::new(DeliveryRunner { clock, sender, schedule, metrics, traffic, records });
        let mut recording = JoinSet::new();
        recording.spawn(recorder.run());
        let mut claims = Claims { queue, runner, tuning, buckets: Buckets::new(tuning.rate), tasks: JoinSet::new() };
        let mut backoff = Backoff::default();
        while !stop.is_cancelled() {
            if let Err(error) = claims.send_due().await {
                tracing::warn!(%error, "the dispatcher could not reach its queue");
                tokio::select! {
                    () = stop.cancelled() => {},
                    () = sleep(backoff.next_pause()) => {},
                }
                continue;
            }
            backoff.reset();
            let pause = claims.pause();
            let tasks = &mut claims.tasks;
            tokio::select! {
                () = stop.cancelled() => {},
                () = wakeups.deliveries.notified() => {},
                // A freed slot may let a delivery of the same endpoint go. More are freed in the same moment: one claim
                // serves them all.
                Some(_) = tasks.join_next(), if !tasks.is_empty() => if !tasks.is_empty() { sleep(GATHERING).await },
                () = sleep(pause) => {},
            }
            while tasks.try_join_next().is_some() {}
        }
        // No attempt takes longer; what is not recorded by then is sent again under the same id.
        let mut tasks = claims.tasks;
        drop(timeout(tuning.attempt + RECORDING, async { while tasks.join_next().await.is_some() {} }).await);
    }
}

/// What is claimed, and what that depends on.
struct Claims {
    queue: Arc<dyn DeliveryQueue>,
    runner: Arc<DeliveryRunner>,
    tuning: Tuning,
    buckets: Buckets,
    /// One for each delivery that is claimed and not recorded.
    tasks: JoinSet<()>,
}

impl Claims {
    async fn send_due(&mut self) -> Result<()> {
        let held = HELD.saturating_sub(self.tasks.len());
        let room = self.runner.traffic.room().min(u32::try_from(held).unwrap_or(u32::MAX));
        if room == 0 {
            return Ok(());
        }
        let per_endpoint = self.tuning.per_endpoint;
        let capacity = EndpointCapacity { per_endpoint, fewer: self.buckets.fewer(per_endpoint, Instant::now()) };
        let now = self.runner.clock.now();
        let latest = Instant::now() + LEASE.saturating_sub(self.tuning.attempt + RECORDING);
        let claimed = self.queue.claim_deliveries(room, &capacity, now, now.plus(failpoints::lease(LEASE))).await?;
        self.runner.traffic.expect(u32::try_from(claimed.len()).unwrap_or(u32::MAX));
        for delivery in claimed {
            self.buckets.take(&delivery.endpoint_id, Instant::now());
            self.tasks.spawn(Arc::clone(&self.runner).deliver(delivery, latest));
        }
        Ok(())
    }

    /// How long until something may be due without a hint.
    fn pause(&self) -> Duration {
        self.buckets.pause(Instant::now()).map_or(POLL, |pause| pause.clamp(SHORTEST_POLL, POLL))
    }
}

impl fmt::Debug for Dispatcher {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Dispatcher").field("sender", &self.sender).finish_non_exhaustive()
    }
}
