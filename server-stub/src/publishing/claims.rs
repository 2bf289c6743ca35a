//! Claims due posts. `capacity` limits how many are published at the same time, `runner` publishes them.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::domain::clock::Clock;
use crate::domain::randomness::Randomness;
use crate::domain::store::Result;
use crate::failpoints;
use crate::metrics::Metrics;
use crate::queue::{self, Consumer, Next, POLL_INTERVAL};
use crate::storage::Store;

use super::Publisher;
use super::capacity::{MAX_IN_FLIGHT, PushCounters};
use super::publisher::PUBLISH_TIMEOUT;
use super::runner::{LEASE, PostRunner};

/// Maximum number of posts in one claim.
const MAX_BATCH: usize = 16;
/// Maximum time that a stopping scheduler waits for posts in flight: each is published, and its outcome recorded, within this time.
pub(super) const DRAIN_LIMIT: Duration = PUBLISH_TIMEOUT.saturating_add(LEASE);

/// Publishes due posts until it is stopped.
pub struct Scheduler {
    runner: Arc<PostRunner>,
    pushes: PushCounters,
}

impl Scheduler {
    /// Creates a scheduler that passes due posts in `store` to `publisher`.
    pub fn new(
        store: Store,
        clock: Arc<dyn Clock>,
        randomness: Arc<dyn Randomness>,
        publisher: Arc<dyn Publisher>,
    ) -> Self {
        let runner = PostRunner { store, clock, randomness, publisher, metrics: Arc::default() };
        Self { runner: Arc::new(runner), pushes: PushCounters::default() }
    }

    /// Returns the scheduler with `metrics` attached.
    #[must_use]
    pub fn with_metrics(mut self, metrics: Arc<Metrics>) -> Self {
        Arc::get_mut(&mut self.runner).expect("nothing else holds the runner before it runs").metrics = metrics;
        self
    }

    /// Runs until `stop` is cancelled, then waits for the posts in flight.
    pub async fn run(self, stop: CancellationToken) {
        let wakeups = Arc::clone(self.runner.store.wakeups());
        queue::consume(self, &wakeups.posts, DRAIN_LIMIT, stop).await;
    }
}

impl Consumer for Scheduler {
    const NAME: &'static str = "the scheduler";

    async fn claim(&mut self, tasks: &mut JoinSet<()>, _stop: &CancellationToken) -> Result<Next> {
        let limit = MAX_IN_FLIGHT.saturating_sub(tasks.len()).min(MAX_BATCH);
        let mut has_more = false;
        if limit > 0 {
            let at_most = u32::try_from(limit).unwrap_or(u32::MAX);
            let (runner, now) = (&self.runner, self.runner.clock.moment());
            let lease_until = now.steady.plus(failpoints::lease_duration(LEASE));
            let claimed = runner.store.claim_posts(at_most, &self.pushes.counts(), now, lease_until).await?;
            // Further posts may be due behind pushes that reached their website's limit.
            has_more = claimed.len() == limit || claimed.iter().any(|post| post.target.is_push());
            for post in claimed {
                let push = post.target.is_push().then(|| self.pushes.begin(&post.website.website_id));
                tasks.spawn(Arc::clone(runner).run(post, push));
            }
        }
        let is_full = tasks.len() >= MAX_IN_FLIGHT;
        let pause = if has_more && !is_full { Duration::ZERO } else { POLL_INTERVAL };
        Ok(Next { pause, after_end: is_full || self.pushes.hold_back() })
    }
}

impl fmt::Debug for Scheduler {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Scheduler").field("publisher", &self.runner.publisher).finish_non_exhaustive()
    }
}
