//! The window of one caller, as seen by this process. `request_counter` maps callers to windows.

use std::sync::Arc;

use tokio::sync::Mutex;

use crate::domain::clock::Timestamp;
use crate::domain::key::Quota;
use crate::domain::store::{HeldQuotaLease, QuotaLease};

/// Time in milliseconds for which the leases of other processes count as known. So the values in responses are at most this
/// old.
pub(super) const FRESH_FOR_MS: i64 = 1000;

/// A fixed window.
#[derive(Debug)]
pub(super) struct Window {
    /// Time after which this process admits no request from the window.
    ends_at: Timestamp,
    /// Time after which the next window has certainly begun.
    resets_at: Timestamp,
    /// Used requests: those that this process admitted, and those that other processes have leased.
    used: u32,
    /// Requests that this process may admit without asking the database.
    held: u32,
    /// Id of the window in the database; `None` for a window that this process counts alone.
    shared: Option<i64>,
    /// Time after which the database is asked again, even if requests are held.
    stale_at: Timestamp,
    /// Lock of the task that asks the database about this window. Other tasks wait for it.
    turn: Option<Turn>,
}

/// Lock whose holder may ask the database.
pub(super) type Turn = Arc<Mutex<()>>;

/// The result of counting one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) is_within: bool,
    pub(super) remaining: u32,
    /// Whole seconds until the window ends, at least 1.
    pub(super) resets_in: u32,
}

/// Returns the length of the quota's windows, in milliseconds.
pub(super) fn length(quota: Quota) -> i64 {
    i64::from(quota.window_seconds) * 1000
}

impl Window {
    /// Returns a window that begins now, with no used and no held requests.
    pub(super) fn beginning(quota: Quota, now: Timestamp) -> Self {
        let ends_at = now.plus_millis(length(quota));
        Self { ends_at, resets_at: ends_at, used: 0, held: 0, shared: None, stale_at: now, turn: None }
    }

    /// Returns the window of a lease that was requested and granted at these times. `former` is the window that this
    /// process had before.
    pub(super) fn leased(
        lease: &QuotaLease,
        former: Option<&Self>,
        (asked_at, answered_at): (Timestamp, Timestamp),
    ) -> Self {
        let still_held = former.filter(|former| former.shared == Some(lease.window)).map_or(0, |former| former.held);
        let held = still_held.saturating_add(lease.granted);
        Self {
            // The database responded between these times, so the window ends between the two results.
            ends_at: asked_at.plus(lease.ends_in),
            resets_at: answered_at.plus(lease.ends_in),
            used: lease.leased.saturating_sub(held),
            held,
            shared: Some(lease.window),
            stale_at: asked_at.plus_millis(FRESH_FOR_MS),
            turn: None,
        }
    }

    pub(super) const fn ends_at(&self) -> Timestamp {
        self.ends_at
    }

    /// Returns true if the window counts requests now. A window that ends more than one length from now is longer than the
    /// quota allows now.
    pub(super) fn is_current(&self, quota: Quota, now: Timestamp) -> bool {
        now < self.ends_at && self.ends_at <= now.plus_millis(length(quota))
    }

    /// Returns true if the next request can be counted without asking the database.
    pub(super) fn is_decided(&self, quota: Quota, now: Timestamp) -> bool {
        let is_used_up = self.used >= quota.requests;
        self.shared.is_some() && (is_used_up || self.held > 0 && now < self.stale_at)
    }

    /// Lets this process admit all requests that are left, as far as it can see.
    pub(super) const fn hold_all(&mut self) {
        (self.held, self.shared) = (u32::MAX, None);
    }

    /// Returns the rest of a lease.
    pub(super) fn held(&self) -> HeldQuotaLease {
        self.shared.map_or_else(HeldQuotaLease::default, |window| HeldQuotaLease { window, requests: self.held })
    }

    /// Replaces a former window and keeps its lock, for tasks that wait for their turn.
    pub(super) fn replacing(self, former: Self) -> Self {
        Self { turn: former.turn, ..self }
    }

    /// Returns the lock whose holder may ask the database.
    pub(super) fn turn(&mut self) -> Turn {
        Arc::clone(self.turn.get_or_insert_default())
    }

    /// Counts one request. Does not count a refused one, so a client that keeps asking is admitted on time.
    pub(super) fn count(&mut self, quota: Quota, now: Timestamp) -> Count {
        let is_within = self.held > 0 && self.used < quota.requests;
        self.used += u32::from(is_within);
        self.held -= u32::from(is_within);
        let left = (self.resets_at.millis() - now.millis() + 999) / 1000;
        Count {
            is_within,
            remaining: quota.requests.saturating_sub(self.used),
            resets_in: u32::try_from(left).unwrap_or(1).max(1),
        }
    }
}
