//! The loop that claims items and starts a task for each. `lease` has the functions of a task that holds an item.

use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::domain::backoff::Backoff;
use crate::domain::error_chain::ErrorChain;
use crate::domain::store::Result;

/// Maximum delay of a due item if no announcement comes.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Pause between the end of a task and the next claim. Every claim is a commit, so tasks that end meanwhile share one.
const BATCH_DELAY: Duration = Duration::from_millis(2);

/// One kind of leased work.
pub(crate) trait Consumer: Send {
    /// Name in the log.
    const NAME: &'static str;

    /// Claims as many items as can run beside `tasks`, and spawns a task for each, or handles the items itself. A task that
    /// has to wait begins no item after `stop`.
    fn claim(&mut self, tasks: &mut JoinSet<()>, stop: &CancellationToken)
    -> impl Future<Output = Result<Next>> + Send;

    /// Releases the items that tasks did not begin. The loop calls this after each pause, and at the end after each task.
    fn release(&mut self) -> impl Future<Output = ()> + Send {
        async {}
    }
}

/// Time of the next claim. An announcement always causes one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Next {
    /// Maximum pause before the claim.
    pub(crate) pause: Duration,
    /// True if the end of a task causes the claim, because further items may wait for free capacity.
    pub(crate) after_end: bool,
}

/// Runs the loop until `stop` is cancelled, then waits up to `drain_limit` for its tasks. Database errors slow it down but never end
/// it.
pub(crate) async fn consume<C: Consumer>(
    mut consumer: C,
    announced: &Notify,
    drain_limit: Duration,
    stop: CancellationToken,
) {
    // The panic hook logs tasks that panic.
    let mut tasks = JoinSet::new();
    let mut backoff = Backoff::default();
    while !stop.is_cancelled() {
        let next = match consumer.claim(&mut tasks, &stop).await {
            Ok(next) => next,
            Err(error) => {
                tracing::warn!(error = %ErrorChain(&error), "{} cannot read its queue; it retries", C::NAME);
                stop.run_until_cancelled(sleep(backoff.next_pause())).await;
                while tasks.try_join_next().is_some() {}
                continue;
            }
        };
        backoff.reset();
        tokio::select! {
            () = stop.cancelled() => {}
            () = announced.notified() => {}
            () = sleep(next.pause) => {}
            Some(_) = tasks.join_next(), if next.after_end => {
                if !tasks.is_empty() {
                    sleep(BATCH_DELAY).await;
                }
            }
        }
        while tasks.try_join_next().is_some() {}
        consumer.release().await;
    }
    let draining = async {
        while tasks.join_next().await.is_some() {
            consumer.release().await;
        }
    };
    if timeout(drain_limit, draining).await.is_err() {
        // Dropping the set of tasks aborts them.
        tracing::warn!(
            left = tasks.len(),
            "{} stopped before its tasks ended; their items will be claimed again",
            C::NAME
        );
    }
}
