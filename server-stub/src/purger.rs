//! The loop that deletes records after their retention. `domain::retention` decides how long records are kept.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::domain::clock::Clock;
use crate::domain::error_chain::ErrorChain;
use crate::domain::retention::{RecordKind, Retention};
use crate::domain::store::{Purged, Result};
use crate::metrics::Metrics;
use crate::storage::Store;

/// Time between two runs that delete expired records.
const PURGE_INTERVAL: Duration = Duration::from_mins(10);
/// Pause between two batches, during which other tasks can write.
const BATCH_PAUSE: Duration = Duration::from_millis(20);

/// Deletes expired records until it is stopped.
#[derive(Debug)]
pub struct Purger {
    store: Store,
    clock: Arc<dyn Clock>,
    retention: Retention,
    metrics: Arc<Metrics>,
    interval: Duration,
}

impl Purger {
    /// Returns a purger that deletes expired records now and every ten minutes, by the time of `clock`.
    pub fn new(store: Store, clock: Arc<dyn Clock>, retention: Retention) -> Self {
        Self { store, clock, retention, metrics: Arc::default(), interval: PURGE_INTERVAL }
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
    pub async fn run(self, stop: CancellationToken) {
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

    async fn purge_all(&self, purged: &mut Purged, stop: &CancellationToken) -> Result<()> {
        for kind in RecordKind::ALL {
            self.purge(kind, purged, stop).await?;
        }
        Ok(())
    }

    /// Deletes the expired records of one kind, in batches.
    async fn purge(&self, kind: RecordKind, purged: &mut Purged, stop: &CancellationToken) -> Result<()> {
        let cutoff = self.retention.cutoff(kind, self.clock.wall());
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
