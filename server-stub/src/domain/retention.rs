//! How long records are kept, and within which bounds an operator or an owner may choose that. Deleting them is the business of
//! `purger` and `storage`.

use std::time::Duration;

use super::clock::Timestamp;

const DAY: Duration = Duration::from_hours(24);
/// The longest time that can be chosen. What shall stay longer stays for ever.
pub const MAX_RETENTION: Duration = Duration::from_hours(3650 * 24);
/// Events and deliveries are kept at least so long: what an endpoint missed in the last 14 days can be recovered. A delivery
/// that were deleted sooner than that would look like a missed one.
pub const MIN_EVENT_RETENTION: Duration = Duration::from_hours(15 * 24);
/// Attempts are kept at least so long.
pub const MIN_ATTEMPT_RETENTION: Duration = DAY;
/// Responses are repeated at least so long.
pub const MIN_IDEMPOTENCY_RETENTION: Duration = DAY;
/// The longest time for which responses are repeated.
pub const MAX_IDEMPOTENCY_RETENTION: Duration = Duration::from_hours(30 * 24);
/// Leads are kept at least so long, so that a mistyped unit does not erase them at once.
pub const MIN_LEAD_RETENTION: Duration = DAY;

/// A kind of record that is kept for a limited time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordKind {
    /// The response that is stored for an idempotency key.
    IdempotencyKey,
    /// A lead, with the events that tell of it.
    Lead,
    /// An event, with its deliveries.
    Event,
    /// A delivery that has ended, with its attempts.
    Delivery,
    /// An attempt to deliver.
    Attempt,
}

impl RecordKind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::IdempotencyKey, Self::Lead, Self::Event, Self::Delivery, Self::Attempt];

    /// The name in metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::IdempotencyKey => "idempotency_key",
            Self::Lead => "lead",
            Self::Event => "event",
            Self::Delivery => "delivery",
            Self::Attempt => "attempt",
        }
    }
}

/// How long records are kept, from when they were made. How long leads are kept is for the owner of each website to choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Events. Their deliveries and attempts go with them.
    pub events: Duration,
    /// Deliveries that have ended. Their attempts go with them.
    pub deliveries: Duration,
    /// Attempts.
    pub attempts: Duration,
    /// Responses stored for idempotency keys, which are repeated for so long.
    pub idempotency_keys: Duration,
}

impl Default for Retention {
    /// 24 hours for idempotency keys, 30 days for everything else (HOOKS: retention).
    fn default() -> Self {
        let month = 30 * DAY;
        Self { events: month, deliveries: month, attempts: month, idempotency_keys: DAY }
    }
}

impl Retention {
    /// Records of this kind that are not newer than this have expired. For leads it is `now` itself: each website has a
    /// retention of its own.
    #[must_use]
    pub fn cutoff(&self, kind: RecordKind, now: Timestamp) -> Timestamp {
        match kind {
            RecordKind::IdempotencyKey => now.minus(self.idempotency_keys),
            RecordKind::Lead => now,
            RecordKind::Event => now.minus(self.events),
            RecordKind::Delivery => now.minus(self.deliveries),
            RecordKind::Attempt => now.minus(self.attempts),
        }
    }
}
