//! The loop that deletes records after their retention. `domain::retention` decides how long records are kept.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::domain::clock::{Clock, Timestamp};
use crate::domain::duration;
use crate::domain::error_chain::ErrorChain;
use crate::domain::retention::{MAX_PURGE_LAG, PurgeClock, RecordKind, Retention};
use crate::domain::store::{Purged, Result};
use crate::metrics::Metrics;
use crate::storage::Store;

/// Time between two runs that delete expired records.
const PURGE_INTERVAL: Duration = Duration::from_mins(10);
/// Age of a transaction from which the log warns about it. Backups of large databases take longer, once a day.
const MAX_TRANSACTION_AGE: Duration = Duration::from_mins(10);
/// Pause between two batches, during which other tasks can write.
const BATCH_PAUSE: Duration = Duration::from_millis(20);

/// Deletes expired records until it is stopped.
#[derive(Debug)]
pub struct Purger {
    store: Store,
    clock: Arc<dyn Clock>,
    retention: Retention,
    purge_clock: PurgeClock,
    metrics: Arc<Metrics>,
    interval: Duration,
}

impl Purger {
    /// Returns a purger that deletes expired records now and every ten minutes, by the time of `clock`.
    pub fn new(store: Store, clock: Arc<dyn Clock>, retention: Retention) -> Self {
        let purge_clock = PurgeClock::default();
        Self { store, clock, retention, purge_clock, metrics: Arc::default(), interval: PURGE_INTERVAL }
    }

    /// Records the deletions in `metrics`.
    #[must_use]
    pub fn with_metrics(self, metrics: Arc<Metrics>) -> Self {
        Self { metrics, ..self }
    }

    /// Sets the time between two runs.
    #[must_use]
    pub fn with_interval(self, interval: Duration) -> Self {
        Self { interval, ..self }
    }

    /// Runs until `stop` is cancelled. After a database error, it continues in the next run.
    pub async fn run(mut self, stop: CancellationToken) {
        loop {
            let mut purged = Purged::default();
            if let Err(error) = self.purge_all(&mut purged, &stop).await {
                tracing::warn!(error = %ErrorChain(&error), "cannot delete expired records; retrying later");
            }
            if purged != Purged::default() {
                tracing::info!(?purged, "expired records were deleted");
            }
            if stop.run_until_cancelled(sleep(self.interval)).await.is_none() {
                return;
            }
        }
    }

    /// Warns about a transaction that has been open for long. PostgreSQL frees no deleted rows meanwhile.
    async fn check_transactions(&self) -> Result<()> {
        let age = self.store.oldest_transaction_age().await?;
        if age > MAX_TRANSACTION_AGE {
            let age = duration::show(Duration::from_mins(age.as_secs() / 60));
            tracing::warn!(
                "a transaction has been open in the database for {age}, which slows down webhooks; find it in pg_stat_activity \
                 and end it"
            );
        }
        Ok(())
    }

    async fn purge_all(&mut self, purged: &mut Purged, stop: &CancellationToken) -> Result<()> {
        self.check_transactions().await?;
        let now = self.advance_purge_time().await?;
        for kind in RecordKind::ALL {
            self.purge(kind, now, purged, stop).await?;
        }
        Ok(())
    }

    /// Returns the time by which records expire now. Warns if it lags behind the clock.
    async fn advance_purge_time(&mut self) -> Result<Timestamp> {
        let now = self.clock.moment();
        let purge_time = self.store.advance_purge_time(self.purge_clock, now).await?;
        self.purge_clock.see(purge_time, now);
        let lag = Duration::from_millis(now.wall.millis().saturating_sub(purge_time.millis()).try_into().unwrap_or(0));
        self.metrics.purge_lag(lag);
        if lag > MAX_PURGE_LAG {
            let lag = duration::show(Duration::from_mins(lag.as_secs() / 60));
            tracing::warn!(
                %purge_time,
                "the clock is {lag} ahead of the time by which records expire, because no process ran or the clock was set; \
                 check the clock; records are deleted later until that time has caught up"
            );
        }
        Ok(purge_time.min(now.wall))
    }

    /// Deletes the records of one kind that have expired by `now`, in batches.
    async fn purge(
        &self,
        kind: RecordKind,
        now: Timestamp,
        purged: &mut Purged,
        stop: &CancellationToken,
    ) -> Result<()> {
        let cutoff = self.retention.cutoff(kind, now);
        let mut next = Some(String::new());
        while let Some(after) = next.filter(|_| !stop.is_cancelled()) {
            let batch = self.store.purge(kind, cutoff, &after).await?;
            self.metrics.records_purged(&batch.purged);
            *purged += batch.purged;
            next = batch.next;
            if next.is_some() {
                stop.run_until_cancelled(sleep(BATCH_PAUSE)).await;
            }
        }
        Ok(())
    }
}
