//! The loop that claims jobs. `runner` runs them.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::domain::backoff::Backoff;
use crate::domain::clock::Clock;
use crate::domain::error_chain::ErrorChain;
use crate::domain::randomness::Randomness;
use crate::domain::store::Result;
use crate::failpoints::{self, Point};
use crate::generation::ArticleGenerator;
use crate::metrics::{JobOutcome, Metrics};
use crate::storage::Store;
use crate::wakeups::Wakeups;

use super::runner::{JobRunner, LEASE};
use super::writing_slots::WritingSlots;

/// Interval between polls of the queue if no hint comes.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Time that a stopping worker waits for articles that are being written. Other workers claim the remaining jobs when their leases
/// end.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(20);

/// Writes articles until it is stopped.
pub struct Worker {
    runner: Arc<JobRunner>,
}

impl Worker {
    /// Returns a worker on `store` that writes up to `concurrency` articles at a time (at least one).
    pub fn new(
        store: Store,
        clock: Arc<dyn Clock>,
        randomness: Arc<dyn Randomness>,
        wakeups: Arc<Wakeups>,
        generator: Arc<dyn ArticleGenerator>,
        concurrency: usize,
    ) -> Self {
        let slots = WritingSlots::new(concurrency.max(1));
        Self {
            runner: Arc::new(JobRunner {
                store,
                clock,
                randomness,
                wakeups,
                generator,
                slots,
                metrics: Arc::default(),
            }),
        }
    }

    /// Reports counts to `metrics`.
    #[must_use]
    pub fn with_metrics(mut self, metrics: Arc<Metrics>) -> Self {
        Arc::get_mut(&mut self.runner).expect("nothing else holds the runner before it runs").metrics = metrics;
        self
    }

    /// Works until `stop` is cancelled. Then finishes the articles that are being written and releases jobs that have not begun.
    /// Database errors slow it down but never stop it.
    pub async fn run(self, stop: CancellationToken) {
        let mut tasks = JoinSet::new();
        let mut backoff = Backoff::default();
        let mut overdue_failed_at = Instant::now() - POLL_INTERVAL;
        // True if another claim may find jobs: the last claim was full, a hint came, or it is time to poll.
        let mut may_have_more = true;
        while !stop.is_cancelled() {
            let claimable = self.runner.slots.claimable(tasks.len());
            let mut pause = POLL_INTERVAL;
            let mut served = Ok(());
            if may_have_more && claimable > 0 {
                served = self.claim(claimable, &mut tasks, &stop).await.map(|count| may_have_more = count == claimable);
            }
            if served.is_ok() && overdue_failed_at.elapsed() >= POLL_INTERVAL {
                overdue_failed_at = Instant::now();
                served = self.fail_overdue().await;
            }
            match served {
                Ok(()) => backoff.reset(),
                Err(error) => {
                    tracing::warn!(error = %ErrorChain(&error), "the worker cannot read its queue; it retries");
                    pause = backoff.next_pause();
                    may_have_more = true;
                    tokio::select! {
                        () = stop.cancelled() => {},
                        () = sleep(pause) => {},
                    }
                    continue;
                }
            }
            tokio::select! {
                () = stop.cancelled() => {},
                () = self.runner.wakeups.jobs.notified() => may_have_more = true,
                Some(_) = tasks.join_next(), if !tasks.is_empty() => {},
                () = sleep(pause) => may_have_more = true,
            }
            while tasks.try_join_next().is_some() {}
        }
        if timeout(SHUTDOWN_GRACE, async { while tasks.join_next().await.is_some() {} }).await.is_err() {
            // Dropping the set of tasks aborts them.
            tracing::warn!(
                articles = tasks.len(),
                "stopped before all articles were written; their jobs will be claimed again"
            );
        }
    }

    async fn claim(&self, limit: usize, tasks: &mut JoinSet<()>, stop: &CancellationToken) -> Result<usize> {
        let now = self.runner.clock.moment();
        let limit = u32::try_from(limit).unwrap_or(u32::MAX);
        let claims =
            self.runner.store.claim_jobs(limit, now, now.steady.plus(failpoints::lease_duration(LEASE))).await?;
        if !claims.claimed.is_empty() {
            failpoints::hit(Point::JobAfterClaim);
        }
        let count = claims.claimed.len() + claims.ended.len();
        for _ in &claims.ended {
            self.runner.metrics.job_finished(JobOutcome::Failed);
        }
        for job in claims.claimed {
            tasks.spawn(Arc::clone(&self.runner).work(job, stop.clone()));
        }
        Ok(count)
    }

    async fn fail_overdue(&self) -> Result<()> {
        let overdue = self.runner.store.fail_overdue_jobs(self.runner.clock.moment()).await?;
        failpoints::hit(Point::AfterOverdueJobsFailed);
        for _ in overdue {
            self.runner.metrics.job_finished(JobOutcome::Failed);
        }
        Ok(())
    }
}

impl fmt::Debug for Worker {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Worker").field("slots", &self.runner.slots).finish_non_exhaustive()
    }
}
