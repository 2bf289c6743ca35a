//! The only task that records attempts. A durable commit takes milliseconds regardless of its size, so all attempts that ended
//! during the last commit are recorded in one transaction.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep};

use crate::domain::backoff::Backoff;
use crate::domain::error_chain::ErrorChain;
use crate::domain::store::{AttemptRecord, Error, LeaseOutcome, Result};
use crate::hooks::runner::LEASE;
use crate::storage::Store;

/// Maximum number of attempts in one transaction. A larger batch would not raise the rate, and would delay the first attempt.
pub(super) const MAX_BATCH: usize = 256;
/// Time for which attempts are collected for one transaction.
const BATCH_DELAY: Duration = Duration::from_millis(2);

/// Attempt that is not yet recorded.
struct PendingRecord {
    record: AttemptRecord,
    /// Time at which its lease has certainly ended. After that the delivery is sent again.
    expires_at: Instant,
    done: oneshot::Sender<()>,
}

/// Sends attempts to the recorder.
#[derive(Debug)]
pub(in crate::hooks) struct RecorderHandle(mpsc::UnboundedSender<PendingRecord>);

/// Stores attempts. The recorder's tests implement this trait with failures.
#[async_trait]
pub(in crate::hooks) trait AttemptStore: Send + Sync {
    /// Records attempts: see [`Store::record_attempts`].
    async fn record_attempts(&self, records: Arc<[AttemptRecord]>) -> Result<Vec<LeaseOutcome>>;
}

#[async_trait]
impl AttemptStore for Store {
    async fn record_attempts(&self, records: Arc<[AttemptRecord]>) -> Result<Vec<LeaseOutcome>> {
        Self::record_attempts(self, records).await
    }
}

/// Records the attempts from its [`RecorderHandle`].
pub(in crate::hooks) struct Recorder {
    store: Arc<dyn AttemptStore>,
    made: mpsc::UnboundedReceiver<PendingRecord>,
}

impl RecorderHandle {
    /// Hands an attempt to the recorder, and waits until it is recorded or given up. The limit on claimed deliveries bounds the
    /// channel.
    pub(in crate::hooks) async fn add(&self, record: AttemptRecord) {
        let (done, is_done) = oneshot::channel();
        let made = PendingRecord { record, expires_at: Instant::now() + LEASE, done };
        if self.0.send(made).is_ok() {
            // The result is the same if the recorder gave up: stop waiting.
            drop(is_done.await);
        }
    }
}

impl Recorder {
    /// Creates a recorder and its handle.
    pub(in crate::hooks) fn new(store: Arc<dyn AttemptStore>) -> (RecorderHandle, Self) {
        let (records, made) = mpsc::unbounded_channel();
        (RecorderHandle(records), Self { store, made })
    }

    /// Runs until every handle is dropped. A failing database slows the recorder down but never ends it.
    pub(in crate::hooks) async fn run(mut self) {
        let mut backoff = Backoff::default();
        let mut pending = Vec::new();
        // Number of pending attempts that failed even alone. They do not count towards `MAX_BATCH`.
        let mut failed_alone = 0;
        loop {
            if pending.is_empty() && self.made.recv_many(&mut pending, 1).await == 0 {
                return;
            }
            sleep(BATCH_DELAY).await;
            while pending.len() < failed_alone + MAX_BATCH
                && let Ok(made) = self.made.try_recv()
            {
                pending.push(made);
            }
            let recorded = self.record(&mut pending).await;
            failed_alone = if matches!(recorded, Err(Error::Unavailable(_))) { 0 } else { pending.len() };
            match recorded {
                Ok(()) => backoff.reset(),
                Err(error) => {
                    let attempts = pending.len();
                    tracing::warn!(error = %ErrorChain(&error), attempts, "cannot record attempts; retrying");
                    drop_expired(&mut pending);
                    sleep(backoff.next_pause()).await;
                }
            }
        }
    }

    /// Records the pending attempts. Attempts that remain in `pending` may be recorded later.
    async fn record(&self, pending: &mut Vec<PendingRecord>) -> Result<()> {
        let Err(error) = self.record_batch(pending).await else { return Ok(()) };
        if pending.len() == 1 || matches!(error, Error::Unavailable(_)) {
            return Err(error);
        }
        // A single record may cause the error, so each is tried alone.
        let mut outcome = Ok(());
        let mut left = Vec::new();
        for made in pending.drain(..) {
            let mut alone = vec![made];
            outcome = self.record_batch(&mut alone).await.and(outcome);
            left.append(&mut alone);
        }
        *pending = left;
        outcome
    }

    async fn record_batch(&self, pending: &mut Vec<PendingRecord>) -> Result<()> {
        let outcomes = self.store.record_attempts(pending.iter().map(|made| made.record.clone()).collect()).await?;
        for (made, outcome) in pending.drain(..).zip(outcomes) {
            if outcome == LeaseOutcome::Lost {
                let delivery_id = &made.record.delivery.id;
                tracing::info!(%delivery_id, "an attempt was not recorded: the delivery was removed or claimed by another process");
            }
            // The task that sent the attempt may have stopped waiting.
            made.done.send(()).unwrap_or_default();
        }
        Ok(())
    }
}

fn drop_expired(pending: &mut Vec<PendingRecord>) {
    let now = Instant::now();
    pending.retain(|made| {
        let is_late = now >= made.expires_at;
        if is_late {
            tracing::warn!(delivery_id = %made.record.delivery.id, "an attempt was not recorded; the webhook will be sent again");
        }
        !is_late
    });
}
