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
use crate::storage::Store;

use super::runner::LEASE;

/// Maximum number of attempts in one transaction. A larger batch would not raise the rate, and would delay the first attempt.
const MAX_BATCH: usize = 256;
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
pub(super) struct RecorderHandle(mpsc::UnboundedSender<PendingRecord>);

/// Stores attempts. The recorder's tests implement this trait with failures.
#[async_trait]
pub(super) trait AttemptStore: Send + Sync {
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
pub(super) struct Recorder {
    store: Arc<dyn AttemptStore>,
    made: mpsc::UnboundedReceiver<PendingRecord>,
}

impl RecorderHandle {
    /// Hands an attempt to the recorder, and waits until it is recorded or given up. The limit on claimed deliveries bounds the
    /// channel.
    pub(super) async fn add(&self, record: AttemptRecord) {
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
    pub(super) fn new(store: Arc<dyn AttemptStore>) -> (RecorderHandle, Self) {
        let (records, made) = mpsc::unbounded_channel();
        (RecorderHandle(records), Self { store, made })
    }

    /// Runs until every handle is dropped. A failing database slows the recorder down but never ends it.
    pub(super) async fn run(mut self) {
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

/// Tests with a failing database.
#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use futures::future::join_all;
    use tokio::time::advance;

    use crate::domain::clock::{Moment, Timestamp};
    use crate::domain::delivery::AttemptKind;
    use crate::domain::hook::Attempt;
    use crate::domain::personal::Personal;
    use crate::domain::retry_schedule::AttemptDecision;
    use crate::domain::store::ClaimedDelivery;

    use super::*;

    /// Store that fails the given number of times. It also rejects every batch with a bad record. It accepts a record `BAD`
    /// alone on the second try, and a record `NEVER` never.
    #[derive(Debug, Default)]
    struct Failing {
        away: Mutex<u32>,
        bad_tries: Mutex<u32>,
        groups: Mutex<Vec<Vec<String>>>,
    }

    const BAD: &str = "dlv_bad";
    const NEVER: &str = "dlv_never";

    #[async_trait]
    impl AttemptStore for Failing {
        async fn record_attempts(&self, records: Arc<[AttemptRecord]>) -> Result<Vec<LeaseOutcome>> {
            let mut away = self.away.lock().unwrap();
            if *away > 0 {
                *away -= 1;
                return Err(Error::Unavailable("away".into()));
            }
            let ids: Vec<_> = records.iter().map(|record| record.delivery.id.clone()).collect();
            if ids.iter().any(|id| id == NEVER) {
                return Err(Error::Broken("a record that is never accepted".into()));
            }
            if ids.iter().any(|id| id == BAD) {
                let mut tries = self.bad_tries.lock().unwrap();
                *tries += u32::from(ids.len() == 1);
                if ids.len() > 1 || *tries < 2 {
                    return Err(Error::Broken("a bad record".into()));
                }
            }
            self.groups.lock().unwrap().push(ids);
            Ok(records.iter().map(|_| LeaseOutcome::Recorded).collect())
        }
    }

    fn attempt_at(id: &str) -> AttemptRecord {
        let delivery = ClaimedDelivery {
            id: id.to_owned(),
            lease_token: "token".to_owned(),
            number: 1,
            kind: AttemptKind::Scheduled,
            resume: None,
            event_id: "evt_1".to_owned(),
            endpoint_id: "hook_1".to_owned(),
            url: "http://127.0.0.1/".to_owned(),
            secrets: Ok(Vec::new()),
            body: Personal::default(),
        };
        let now = Timestamp::from_millis(0);
        let attempt = Attempt {
            started_at: now,
            request_headers: Vec::new(),
            duration_ms: 1,
            response_status: Some(200),
            error: None,
            retry_after: None,
            timed_out: false,
            response_head: None,
            response_headers: Personal::default(),
        };
        AttemptRecord {
            delivery,
            attempt,
            decision: AttemptDecision::Succeeded,
            decided_at: Moment { wall: now, steady: now },
        }
    }

    /// Records attempts at these deliveries, and returns the recorded batches when all are recorded.
    async fn recorded(queue: &Arc<Failing>, ids: &[&str]) -> Vec<Vec<String>> {
        let (records, recorder) = Recorder::new(Arc::clone(queue) as _);
        let add_all = async {
            join_all(ids.iter().map(|id| records.add(attempt_at(id)))).await;
            drop(records);
        };
        tokio::join!(recorder.run(), add_all);
        std::mem::take(&mut *queue.groups.lock().unwrap())
    }

    #[tokio::test]
    async fn attempts_that_end_together_are_recorded_together() {
        let groups = recorded(&Arc::default(), &["dlv_1", "dlv_2", "dlv_3"]).await;
        assert_eq!(groups, [["dlv_1", "dlv_2", "dlv_3"]]);
    }

    #[tokio::test]
    async fn attempts_are_recorded_once_the_database_is_back() {
        let queue = Arc::new(Failing { away: Mutex::new(2), ..Failing::default() });
        assert_eq!(recorded(&queue, &["dlv_1", "dlv_2"]).await, [["dlv_1", "dlv_2"]]);
    }

    #[tokio::test]
    async fn one_bad_record_blocks_no_other() {
        let groups = recorded(&Arc::default(), &["dlv_1", BAD, "dlv_2"]).await;
        assert_eq!(groups, [["dlv_1"], ["dlv_2"], [BAD]]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_batch_of_bad_records_blocks_no_other() {
        let (records, recorder) = Recorder::new(Arc::<Failing>::default());
        let mut bad = std::pin::pin!(join_all((0..MAX_BATCH).map(|_| records.add(attempt_at(NEVER)))));
        tokio::select! {
            () = recorder.run() => unreachable!("there is a handle"),
            _ = &mut bad => panic!("an attempt that cannot be recorded was given up before the other was recorded"),
            () = async {
                // By then, the bad records have filled a batch and failed.
                for _ in 0..100 {
                    advance(Duration::from_millis(10)).await;
                }
                records.add(attempt_at("dlv_1")).await;
            } => {}
        }
    }
}
