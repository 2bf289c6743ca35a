//! Claims jobs and fails overdue ones. `capacity` decides how many to claim, `runner` runs them.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::domain::clock::Clock;
use crate::domain::randomness::Randomness;
use crate::domain::store::{JobStatusChange, Result};
use crate::failpoints::{self, Point};
use crate::generation::ArticleGenerator;
use crate::metrics::{JobOutcome, Metrics};
use crate::queue::{self, Consumer, Next, POLL_INTERVAL};
use crate::storage::Store;

use super::capacity::WritingSlots;
use super::runner::JobRunner;

/// Time that a stopping worker waits for articles that are being written.
const DRAIN_LIMIT: Duration = Duration::from_secs(20);

/// Writes articles until it is stopped.
pub struct Worker {
    runner: Arc<JobRunner>,
    overdue_failed_at: Option<Instant>,
}

impl Worker {
    /// Returns a worker on `store` that writes up to `concurrency` articles at a time (at least one).
    pub fn new(
        store: Store,
        clock: Arc<dyn Clock>,
        randomness: Arc<dyn Randomness>,
        generator: Arc<dyn ArticleGenerator>,
        concurrency: usize,
    ) -> Self {
        let slots = WritingSlots::new(concurrency.max(1));
        let metrics = Arc::default();
        let runner = JobRunner { store, clock, randomness, generator, slots, metrics };
        Self { runner: Arc::new(runner), overdue_failed_at: None }
    }

    /// Reports counts to `metrics`.
    #[must_use]
    pub fn with_metrics(mut self, metrics: Arc<Metrics>) -> Self {
        Arc::get_mut(&mut self.runner).expect("nothing else holds the runner before it runs").metrics = metrics;
        self
    }

    /// Works until `stop` is cancelled. Then finishes the articles that are being written and releases jobs that have not begun.
    pub async fn run(self, stop: CancellationToken) {
        let wakeups = Arc::clone(self.runner.store.wakeups());
        queue::consume(self, &wakeups.jobs, DRAIN_LIMIT, stop).await;
    }

    /// Fails overdue jobs, at most once per poll interval.
    async fn fail_overdue(&mut self) -> Result<()> {
        if self.overdue_failed_at.is_some_and(|failed_at| failed_at.elapsed() < POLL_INTERVAL) {
            return Ok(());
        }
        self.overdue_failed_at = Some(Instant::now());
        let overdue = self.runner.store.fail_overdue_jobs(self.runner.clock.moment()).await?;
        failpoints::hit(Point::AfterOverdueJobsFailed);
        self.count_failed(&overdue);
        Ok(())
    }

    fn count_failed(&self, jobs: &[JobStatusChange]) {
        for _ in jobs {
            self.runner.metrics.job_finished(JobOutcome::Failed);
        }
    }
}

impl Consumer for Worker {
    const NAME: &'static str = "the worker";

    async fn claim(&mut self, tasks: &mut JoinSet<()>, stop: &CancellationToken) -> Result<Next> {
        let (runner, limit) = (&self.runner, self.runner.slots.claimable(tasks.len()));
        let mut count = 0;
        if limit > 0 {
            let at_most = u32::try_from(limit).unwrap_or(u32::MAX);
            let claims = runner.store.claim_jobs(at_most, runner.clock.moment(), runner.lease_until()).await?;
            if !claims.claimed.is_empty() {
                failpoints::hit(Point::JobAfterClaim);
            }
            count = claims.claimed.len() + claims.ended.len();
            self.count_failed(&claims.ended);
            for job in claims.claimed {
                tasks.spawn(Arc::clone(runner).run(job, stop.clone()));
            }
        }
        self.fail_overdue().await?;
        // Other workers may have locked some of the chosen jobs, so more may be due although the claim is not full.
        let may_have_more = limit == 0 || count > 0;
        // All claimed jobs may have failed without a task, whose end would cause the next claim.
        let pause = if may_have_more && tasks.is_empty() { Duration::ZERO } else { POLL_INTERVAL };
        Ok(Next { pause, after_end: may_have_more })
    }
}

impl fmt::Debug for Worker {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Worker").field("slots", &self.runner.slots).finish_non_exhaustive()
    }
}
