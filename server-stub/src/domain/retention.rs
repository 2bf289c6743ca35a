//! Retention times of records, and the bounds within which an operator or owner may choose them. `purger` and `storage` delete
//! the records.

use std::time::Duration;

use super::clock::Timestamp;
use super::link_token::CONFIRMATION_VALID_FOR;
use super::names::names;

const DAY: Duration = Duration::from_hours(24);
/// Maximum retention time. Records that must be kept longer are kept forever.
pub const MAX_RETENTION: Duration = Duration::from_hours(3650 * 24);
/// Minimum retention of events and deliveries. Deliveries that an endpoint missed in the last 14 days can be recovered; one that
/// was deleted earlier would look like a missed one.
pub const MIN_EVENT_RETENTION: Duration = Duration::from_hours(15 * 24);
/// Minimum retention of attempts.
pub const MIN_ATTEMPT_RETENTION: Duration = DAY;
/// Minimum time for which stored responses are replayed.
pub const MIN_IDEMPOTENCY_RETENTION: Duration = DAY;
/// Maximum time for which stored responses are replayed.
pub const MAX_IDEMPOTENCY_RETENTION: Duration = Duration::from_hours(30 * 24);
/// Minimum retention of unconfirmed leads, so that their purge erases none whose link works.
pub const MIN_UNCONFIRMED_LEAD_RETENTION: Duration = CONFIRMATION_VALID_FOR;
/// Retention of unconfirmed leads, if the operator chooses no other (`unconfirmed_leads` under `x-limits`).
pub const UNCONFIRMED_LEAD_RETENTION: Duration = Duration::from_hours(30 * 24);
/// Minimum retention of leads, so that a mistyped unit does not erase them at once.
pub const MIN_LEAD_RETENTION: Duration = DAY;

names! {
    /// A kind of record that is kept for a limited time.
    pub enum RecordKind {
        /// A response that is stored for an idempotency key.
        IdempotencyKey = "idempotency_key",
        /// A lead, with its events.
        Lead = "lead",
        /// An unconfirmed lead of a website with double opt-in, with its events.
        UnconfirmedLead = "unconfirmed_lead",
        /// An event, with its deliveries.
        Event = "event",
        /// A finished delivery, with its attempts.
        Delivery = "delivery",
        /// A delivery attempt.
        Attempt = "attempt",
    }
}

/// Retention times of records, from their creation. The owner of each website chooses the retention of leads, which may be shorter
/// than that of unconfirmed ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Events, with their deliveries and attempts.
    pub events: Duration,
    /// Finished deliveries, with their attempts.
    pub deliveries: Duration,
    /// Attempts.
    pub attempts: Duration,
    /// Responses stored for idempotency keys, which are replayed during this time.
    pub idempotency_keys: Duration,
    /// Unconfirmed leads of websites with double opt-in, with their events.
    pub unconfirmed_leads: Duration,
}

impl Default for Retention {
    /// Returns 24 hours for idempotency keys, 30 days for everything else (HOOKS: retention).
    fn default() -> Self {
        let month = 30 * DAY;
        Self {
            events: month,
            deliveries: month,
            attempts: month,
            idempotency_keys: DAY,
            unconfirmed_leads: UNCONFIRMED_LEAD_RETENTION,
        }
    }
}

impl Retention {
    /// Returns the time up to which records of this kind have expired. For leads it is `now`: each website has a separate
    /// retention.
    #[must_use]
    pub fn cutoff(&self, kind: RecordKind, now: Timestamp) -> Timestamp {
        match kind {
            RecordKind::IdempotencyKey => now.minus(self.idempotency_keys),
            RecordKind::Lead => now,
            RecordKind::UnconfirmedLead => now.minus(self.unconfirmed_leads),
            RecordKind::Event => now.minus(self.events),
            RecordKind::Delivery => now.minus(self.deliveries),
            RecordKind::Attempt => now.minus(self.attempts),
        }
    }
}
