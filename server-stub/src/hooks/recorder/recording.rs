//! The one task that records attempts: all that ended while it was busy in one transaction, because a durable commit costs
//! milliseconds however much it holds.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep};

use crate::domain::backoff::Backoff;
use crate::domain::store::{AttemptRecord, DeliveryQueue, Error, LeaseOutcome, Result};
use crate::hooks::dispatcher::LEASE;

/// Attempts of one transaction: more would not raise the rate and delay the first.
const AT_ONCE: usize = 256;

/// How long attempts are gathered for one transaction.
const GATHERING: Duration = Duration::from_millis(2);

/// An attempt that was made and is not recorded yet.
struct Made {
    record: AttemptRecord,
    /// By then its lease is over, and it will be repeated.
    given_up_at: Instant,
    done: oneshot::Sender<()>,
}

/// The way to the recorder.
#[derive(Debug)]
pub(in crate::hooks) struct Records(mpsc::UnboundedSender<Made>);

/// Records what is handed to its [`Records`].
pub(in crate::hooks) struct Recorder {
    queue: Arc<dyn DeliveryQueue>,
    made: mpsc::UnboundedReceiver<Made>,
}

impl Records {
    /// Records an attempt; ends when that is done or given up. There are never more than may be claimed.
    pub(in crate::hooks) async fn add(&self, record: AttemptRecord) {
        let (done, is_done) = oneshot::channel();
        let made = Made { record, given_up_at: Instant::now() + LEASE, done };
        if self.0.send(made).is_ok() {
            // Both mean that there is nothing left to wait for.
            drop(is_done.await);
        }
    }
}

impl Recorder {
    /// A recorder and the way to it.
    pub(in crate::hooks) fn new(queue: Arc<dyn DeliveryQueue>) -> (Records, Self) {
        let (records, made) = mpsc::unbounded_channel();
        (Records(records), Self { queue, made })
    }

    /// Works until nobody can hand over anything any more. A failing database slows it down and never ends it.
    pub(in crate::hooks) async fn run(mut self) {
        let mut backoff = Backoff::default();
        let mut waiting = Vec::new();
        loop {
            if waiting.is_empty() && self.made.recv_many(&mut waiting, 1).await == 0 {
                return;
            }
            sleep(GATHERING).await;
            while waiting.len() < AT_ONCE
                && let Ok(made) = self.made.try_recv()
            {
                waiting.push(made);
            }
            match self.record(&mut waiting).await {
                Ok(()) => backoff.reset(),
                Err(error) => {
                    tracing::warn!(%error, attempts = waiting.len(), "attempts are not recorded yet");
                    give_up_late(&mut waiting);
                    sleep(backoff.next_pause()).await;
                }
            }
        }
    }

    /// Records what waits; what is left over afterwards may be recorded later.
    async fn record(&self, waiting: &mut Vec<Made>) -> Result<()> {
        let Err(error) = self.record_together(waiting).await else { return Ok(()) };
        if waiting.len() == 1 || matches!(error, Error::Unavailable(_)) {
            return Err(error);
        }
        // One of them may be to blame: the others shall not wait for it.
        let mut outcome = Ok(());
        let mut left = Vec::new();
        for made in waiting.drain(..) {
            let mut alone = vec![made];
            outcome = self.record_together(&mut alone).await.and(outcome);
            left.append(&mut alone);
        }
        *waiting = left;
        outcome
    }

    async fn record_together(&self, waiting: &mut Vec<Made>) -> Result<()> {
        let outcomes = self.queue.record_attempts(waiting.iter().map(|made| made.record.clone()).collect()).await?;
        for (made, outcome) in waiting.drain(..).zip(outcomes) {
            if outcome == LeaseOutcome::Lost {
                let delivery_id = &made.record.delivery.id;
                tracing::info!(%delivery_id, "an attempt was not recorded: the delivery is gone or taken");
            }
            // Whoever stopped waiting does not mind.
            made.done.send(()).unwrap_or_default();
        }
        Ok(())
    }
}

fn give_up_late(waiting: &mut Vec<Made>) {
    let now = Instant::now();
    waiting.retain(|made| {
        let is_late = now >= made.given_up_at;
        if is_late {
            tracing::warn!(delivery_id = %made.record.delivery.id, "an attempt was not recorded; it will be repeated");
        }
        !is_late
    });
}
