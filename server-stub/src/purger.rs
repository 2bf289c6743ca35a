//! The loop that deletes what is kept for a limited time only. How long that is, is decided in `domain`.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::domain::clock::Clock;
use crate::domain::error_chain::ErrorChain;
use crate::domain::store::Maintenance;

/// How often expired records are deleted.
const PURGE_INTERVAL: Duration = Duration::from_mins(10);

/// Deletes expired records until it is stopped.
#[derive(Debug)]
pub struct Purger {
    database: Arc<dyn Maintenance>,
    clock: Arc<dyn Clock>,
    interval: Duration,
}

impl Purger {
    /// A purger that deletes every ten minutes what has expired by `clock`.
    pub fn new(database: Arc<dyn Maintenance>, clock: Arc<dyn Clock>) -> Self {
        Self { database, clock, interval: PURGE_INTERVAL }
    }

    /// The same purger with another interval.
    #[must_use]
    pub fn with_interval(self, interval: Duration) -> Self {
        Self { interval, ..self }
    }

    /// Works until `stop` is cancelled. A failing database never ends it: what is left is deleted next time.
    pub async fn run(self, stop: CancellationToken) {
        while stop.run_until_cancelled(sleep(self.interval)).await.is_some() {
            if let Err(error) = self.database.purge(self.clock.now()).await {
                tracing::warn!(error = %ErrorChain(&error), "expired records could not be deleted");
            }
        }
    }
}
