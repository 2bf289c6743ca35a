//! A filled database under measurement, and the state that operations pass on.

use std::time::Instant;

use contentgen_server_stub::domain::store::{ClaimedDelivery, ClaimedJob, ClaimedPost};
use contentgen_server_stub::storage::Store;

use super::Operation;
use crate::population::Population;

/// A filled database under measurement.
pub(crate) struct Subject {
    pub(super) store: Store,
    pub(super) population: Population,
    /// Increases with each use, so that each record is created and read once.
    pub(super) number: u64,
    pub(super) jobs: Vec<ClaimedJob>,
    pub(super) posts: Vec<ClaimedPost>,
    pub(super) deliveries: Vec<ClaimedDelivery>,
}

impl Subject {
    /// Creates a subject that is ready for the first operation.
    pub(crate) fn new(store: Store, population: Population) -> Self {
        let number = population.size;
        Self { store, population, number, jobs: Vec::new(), posts: Vec::new(), deliveries: Vec::new() }
    }

    /// Runs an operation many times. Returns the time of one in microseconds.
    pub(crate) async fn micros(&mut self, operation: Operation) -> anyhow::Result<f64> {
        let began = Instant::now();
        let count = match operation {
            Operation::Generate => self.generate().await?,
            Operation::ClaimJobs => self.claim_jobs().await?,
            Operation::CompleteJobs => self.complete_jobs().await?,
            Operation::ClaimPosts => self.claim_posts().await?,
            Operation::PublishPosts => self.publish_posts().await?,
            Operation::Capture => self.capture().await?,
            Operation::ClaimDeliveries => self.claim_deliveries().await?,
            Operation::RecordAttempts => self.record_attempts().await?,
            read => self.read(read).await?,
        };
        anyhow::ensure!(count > 0, "nothing to do: {}", operation.name());
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
        let count = count as f64;
        Ok(began.elapsed().as_secs_f64() * 1e6 / count)
    }

    /// Returns an unused number.
    pub(super) fn next(&mut self) -> u64 {
        self.number += 1;
        self.number
    }
}
