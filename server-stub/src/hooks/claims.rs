//! Claims due deliveries. `capacity` and `rate_limit` decide how many, `runner` sends them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::domain::clock::Clock;
use crate::domain::endpoint_capacity::EndpointCapacity;
use crate::domain::error_chain::ErrorChain;
use crate::domain::retry_schedule::RetrySchedule;
use crate::domain::store::Result;
use crate::failpoints;
use crate::metrics::Metrics;
use crate::queue::{self, Consumer, Next, POLL_INTERVAL};
use crate::storage::Store;

use super::capacity::SendingSlots;
use super::rate_limit::TokenBuckets;
use super::recorder::Recorder;
use super::runner::{DeliveryRunner, LEASE};
use super::{Sender, Tuning};

/// Maximum time for recording the last attempts when the dispatcher stops.
const RECORD_TIMEOUT: Duration = Duration::from_secs(5);
/// Minimum pause before the next claim when an endpoint has used up its rate.
const MIN_POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Maximum number of deliveries that are claimed and not yet recorded.
const MAX_CLAIMED: usize = 2048;

/// Sends hooks until it is stopped.
#[derive(Debug)]
pub struct Dispatcher {
    store: Store,
    clock: Arc<dyn Clock>,
    sender: Sender,
    schedule: RetrySchedule,
    metrics: Arc<Metrics>,
    tuning: Tuning,
}

impl Dispatcher {
    /// Creates a dispatcher that sends due deliveries in `store` through `sender`. `schedule` defines the delays of retries.
    pub fn new(store: Store, clock: Arc<dyn Clock>, sender: Sender, schedule: RetrySchedule) -> Self {
        Self { store, clock, sender, schedule, metrics: Arc::default(), tuning: Tuning::default() }
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

    /// Runs until `stop` is cancelled. Then it releases unsent deliveries and waits for the responses to sent ones.
    pub async fn run(self, stop: CancellationToken) {
        let Self { store, clock, sender, schedule, metrics, tuning } = self;
        let wakeups = Arc::clone(store.wakeups());
        let (records, recorder) = Recorder::new(Arc::new(store.clone()));
        let mut recording = JoinSet::new();
        recording.spawn(recorder.run());
        let (slots, unsent) = (SendingSlots::new(tuning.in_flight), Mutex::default());
        let runner = Arc::new(DeliveryRunner { clock, sender, schedule, metrics, slots, records, unsent });
        let buckets = TokenBuckets::new(tuning.rate_per_second);
        let claims = Claims { store, runner, tuning, buckets };
        // No attempt takes longer. An attempt that is not recorded by then is sent again under the same id.
        queue::consume(claims, &wakeups.deliveries, tuning.attempt_timeout + RECORD_TIMEOUT, stop).await;
    }
}

/// Claims due deliveries and hands them to the runner.
struct Claims {
    store: Store,
    runner: Arc<DeliveryRunner>,
    tuning: Tuning,
    buckets: TokenBuckets,
}

impl Consumer for Claims {
    const NAME: &'static str = "the dispatcher";

    async fn claim(&mut self, tasks: &mut JoinSet<()>, stop: &CancellationToken) -> Result<Next> {
        let runner = &self.runner;
        let free = MAX_CLAIMED.saturating_sub(tasks.len());
        let limit = runner.slots.claimable().min(u32::try_from(free).unwrap_or(u32::MAX));
        if limit > 0 {
            let per_endpoint = self.tuning.per_endpoint;
            let reduced = self.buckets.reduced(per_endpoint, Instant::now());
            let capacity = EndpointCapacity { per_endpoint, reduced };
            let latest = Instant::now() + LEASE.saturating_sub(self.tuning.attempt_timeout + RECORD_TIMEOUT);
            let now = runner.clock.moment();
            let lease_until = now.steady.plus(failpoints::lease_duration(LEASE));
            let claimed = self.store.claim_deliveries(limit, &capacity, now, lease_until).await?;
            runner.slots.add_waiting(u32::try_from(claimed.len()).unwrap_or(u32::MAX));
            for delivery in claimed {
                self.buckets.take_token(&delivery.endpoint_id, Instant::now());
                tasks.spawn(Arc::clone(runner).run(delivery, latest, stop.clone()));
            }
        }
        let pause = self.buckets.time_until_token(Instant::now()).unwrap_or(POLL_INTERVAL);
        // The end of an attempt may free a slot for another delivery to the same endpoint.
        Ok(Next { pause: pause.clamp(MIN_POLL_INTERVAL, POLL_INTERVAL), after_end: true })
    }

    async fn release(&mut self) {
        let unsent = self.runner.take_unsent();
        if unsent.is_empty() {
            return;
        }
        if let Err(error) = self.store.release_deliveries(unsent.into(), self.runner.clock.steady()).await {
            tracing::warn!(error = %ErrorChain(&error), "cannot release unsent deliveries; they are claimed again when their leases end");
        }
    }
}
