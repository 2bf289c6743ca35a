//! Functions for a task that holds a leased item: retry a change, renew the lease.

use std::time::Duration;

use tokio::time::{Instant, interval_at, sleep};

use crate::domain::backoff::Backoff;
use crate::domain::error_chain::ErrorChain;
use crate::domain::store::{LeaseOutcome, Result};

/// Calls the store until it succeeds, with growing pauses. Logs each error as `failure` of the item `id`.
pub(crate) async fn retry<T, F: Future<Output = Result<T>>>(id: &str, failure: &str, call: impl Fn() -> F) -> T {
    let mut backoff = Backoff::default();
    loop {
        match call().await {
            Ok(value) => return value,
            Err(error) => tracing::warn!(id, error = %ErrorChain(&error), "{failure}; retrying"),
        }
        sleep(backoff.next_pause()).await;
    }
}

/// Does `work` on the item `id`, and renews its lease at every `interval`. Returns `None` as soon as the lease is lost. After an
/// error the work continues: recording its outcome checks the lease again.
pub(crate) async fn while_renewed<T, F: Future<Output = Result<LeaseOutcome>>>(
    id: &str,
    interval: Duration,
    work: impl Future<Output = T>,
    renew: impl Fn() -> F,
) -> Option<T> {
    let mut renewal = interval_at(Instant::now() + interval, interval);
    tokio::pin!(work);
    loop {
        tokio::select! {
            done = &mut work => return Some(done),
            _ = renewal.tick() => match renew().await {
                Ok(LeaseOutcome::Recorded) => {}
                Ok(LeaseOutcome::Lost) => return None,
                Err(error) => tracing::warn!(id, error = %ErrorChain(&error), "cannot renew a lease"),
            }
        }
    }
}
