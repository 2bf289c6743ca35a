//! The window of one caller, as this process knows it. Which caller it belongs to is in `request_counter`.

use std::sync::Arc;

use tokio::sync::Mutex;

use crate::domain::clock::Timestamp;
use crate::domain::key::Quota;
use crate::domain::store::{HeldQuotaLease, QuotaLease};

/// How long what other processes have leased counts as known, milliseconds: what callers are told is at most so old.
pub(super) const FRESH_FOR_MS: i64 = 1000;

/// A fixed window.
#[derive(Debug)]
pub(super) struct Window {
    /// From then on its requests are not used any more.
    ends_at: Timestamp,
    /// From then on a caller surely gets the next window.
    resets_at: Timestamp,
    /// Requests that are gone: those that this process admitted, and what others have leased.
    used: u32,
    /// Requests that this process may admit without asking anybody.
    held: u32,
    /// The database's name for the window; `None` for one that this process counts alone.
    shared: Option<i64>,
    /// When the database is asked again although requests are held.
    stale_at: Timestamp,
    /// Held by whoever asks the database about it. The others wait for that.
    turn: Option<Turn>,
}

/// Whoever holds it may ask the database.
pub(super) type Turn = Arc<Mutex<()>>;

/// The result of counting one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) is_within: bool,
    pub(super) remaining: u32,
    /// Whole seconds until the window ends, at least 1.
    pub(super) resets_in: u32,
}

/// The length of the quota's windows, milliseconds.
pub(super) fn length(quota: Quota) -> i64 {
    i64::from(quota.window_seconds) * 1000
}

impl Window {
    /// One that begins now, of which nothing is used and nothing is held.
    pub(super) fn beginning(quota: Quota, now: Timestamp) -> Self {
        let ends_at = now.plus_millis(length(quota));
        Self { ends_at, resets_at: ends_at, used: 0, held: 0, shared: None, stale_at: now, turn: None }
    }

    /// The window of a lease that was asked for and answered at these times. `former` is what this process knew before.
    pub(super) fn leased(
        lease: &QuotaLease,
        former: Option<&Self>,
        (asked_at, answered_at): (Timestamp, Timestamp),
    ) -> Self {
        let still_held = former.filter(|former| former.shared == Some(lease.window)).map_or(0, |former| former.held);
        let held = still_held.saturating_add(lease.granted);
        Self {
            // The database answered between these times, so the window ends between those.
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

    /// Whether it counts requests now. One that ends later than a whole one from now was longer than the quota's are now.
    pub(super) fn is_current(&self, quota: Quota, now: Timestamp) -> bool {
        now < self.ends_at && self.ends_at <= now.plus_millis(length(quota))
    }

    /// Whether the database need not be asked about the next request.
    pub(super) fn is_decided(&self, quota: Quota, now: Timestamp) -> bool {
        let is_used_up = self.used >= quota.requests;
        self.shared.is_some() && (is_used_up || self.held > 0 && now < self.stale_at)
    }

    /// Lets this process admit all that is left, as far as it knows.
    pub(super) const fn hold_all(&mut self) {
        (self.held, self.shared) = (u32::MAX, None);
    }

    /// What is left of a lease.
    pub(super) fn held(&self) -> HeldQuotaLease {
        self.shared.map_or_else(HeldQuotaLease::default, |window| HeldQuotaLease { window, requests: self.held })
    }

    /// Takes the place of a former window, also for those who wait for their turn.
    pub(super) fn replacing(self, former: Self) -> Self {
        Self { turn: former.turn, ..self }
    }

    /// Whoever holds this may ask the database.
    pub(super) fn turn(&mut self) -> Turn {
        Arc::clone(self.turn.get_or_insert_default())
    }

    /// Counts one request. A refused one is not counted, so that a client which keeps asking gets in on time.
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
