//! Counts requests together with other processes: decides when to ask the database, and counts alone while it does not respond.
//! `window` contains the state of a window.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use tokio::time::timeout;

use super::request_counter::RequestCounter;
use super::window::Count;
use crate::domain::clock::{Clock, Timestamp};
use crate::domain::error_chain::ErrorChain;
use crate::domain::key::Quota;
use crate::domain::store::{Error, QuotaLease, QuotaLeaseRequest, QuotaSubject, SharedWindows};
use crate::metrics::{Metrics, QuotaLeaseOutcome};

/// Maximum time for the database to respond. Concurrent requests of one caller wait for the same response.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// Time in milliseconds for which this process counts alone after the database did not respond.
const ALONE_FOR_MS: i64 = 5000;

/// Leases requests of shared windows. Counts alone while the database does not respond.
#[derive(Debug)]
pub(super) struct Leases {
    windows: Arc<dyn SharedWindows>,
    metrics: Arc<Metrics>,
    /// Kind of callers, for the log.
    whose: &'static str,
    /// Time until which the database is not asked, in milliseconds of steady time.
    alone_until: AtomicI64,
    /// True if the log reports that this process counts alone.
    is_alone: AtomicBool,
}

impl Leases {
    pub(super) fn new(windows: Arc<dyn SharedWindows>, metrics: Arc<Metrics>, whose: &'static str) -> Self {
        let (alone_until, is_alone) = (AtomicI64::new(i64::MIN), AtomicBool::new(false));
        Self { windows, metrics, whose, alone_until, is_alone }
    }

    /// Counts one request of `who`. Usually the requests that this process holds decide, without waiting.
    pub(super) async fn count(
        &self,
        counter: &RequestCounter,
        policy: &'static str,
        who: &QuotaSubject,
        quota: Quota,
        clock: &dyn Clock,
    ) -> Count {
        let turn = match counter.count_known(who, quota, clock.steady()) {
            Ok(count) => return count,
            Err(undecided) => undecided.turn,
        };
        let _turn = turn.lock().await;
        // Another request may have asked, or waited in vain, in the meantime.
        let asked_at = clock.steady();
        let held = match counter.count_known(who, quota, asked_at) {
            Ok(count) => return count,
            Err(undecided) => undecided.held,
        };
        if self.counts_alone(asked_at) {
            return counter.count_alone(who, quota, asked_at);
        }
        match self.lease(QuotaLeaseRequest { policy, subject: who.clone(), quota, held }, clock).await {
            Some(lease) => counter.count_leased(who, quota, &lease, (asked_at, clock.steady())),
            None => counter.count_alone(who, quota, clock.steady()),
        }
    }

    async fn lease(&self, request: QuotaLeaseRequest, clock: &dyn Clock) -> Option<QuotaLease> {
        let lease = timeout(ANSWER_TIMEOUT, self.windows.lease(&request)).await;
        match lease.unwrap_or_else(|late| Err(Error::Unavailable(late.into()))) {
            Ok(lease) => {
                self.metrics.quota_leased(QuotaLeaseOutcome::Answered);
                if self.is_alone.swap(false, Ordering::Relaxed) {
                    tracing::info!(of = self.whose, "quotas are counted in the database again");
                }
                Some(lease)
            }
            Err(error) => {
                self.metrics.quota_leased(QuotaLeaseOutcome::Failed);
                self.alone_until.store(clock.steady().plus_millis(ALONE_FOR_MS).millis(), Ordering::Relaxed);
                if !self.is_alone.swap(true, Ordering::Relaxed) {
                    let (error, of) = (ErrorChain(&error), self.whose);
                    tracing::warn!(%error, of, "cannot lease quota requests from the database; this process counts quotas alone");
                }
                None
            }
        }
    }

    fn counts_alone(&self, now: Timestamp) -> bool {
        now.millis() < self.alone_until.load(Ordering::Relaxed)
    }
}
