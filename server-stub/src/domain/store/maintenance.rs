//! Sizes of the queues, and counts of deleted records. `retention` has the times for which records are kept.

use std::ops::AddAssign;

use crate::domain::clock::Timestamp;
use crate::domain::retention::RecordKind;

/// What a transaction of purging did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PurgedBatch {
    /// How many records it deleted.
    pub purged: Purged,
    /// Where the next batch begins; `None` when nothing of the kind is left to delete, or another process is deleting.
    pub next: Option<String>,
}

/// How many records were deleted, by their kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Purged {
    /// Responses stored for idempotency keys.
    pub idempotency_keys: u64,
    /// Leads.
    pub leads: u64,
    /// Events.
    pub events: u64,
    /// Deliveries.
    pub deliveries: u64,
    /// Attempts.
    pub attempts: u64,
}

impl Purged {
    /// How many records of this kind were deleted.
    pub const fn count(&self, kind: RecordKind) -> u64 {
        match kind {
            RecordKind::IdempotencyKey => self.idempotency_keys,
            RecordKind::Lead => self.leads,
            RecordKind::Event => self.events,
            RecordKind::Delivery => self.deliveries,
            RecordKind::Attempt => self.attempts,
        }
    }
}

impl AddAssign for Purged {
    fn add_assign(&mut self, other: Self) {
        self.idempotency_keys += other.idempotency_keys;
        self.leads += other.leads;
        self.events += other.events;
        self.deliveries += other.deliveries;
        self.attempts += other.attempts;
    }
}

/// What is claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queue {
    /// Jobs that are to be written.
    Jobs,
    /// Posts that are to be published.
    Posts,
    /// Deliveries that are to be sent.
    Deliveries,
}

impl Queue {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Jobs, Self::Posts, Self::Deliveries];

    /// Its name in metrics and in the log.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Jobs => "jobs",
            Self::Posts => "posts",
            Self::Deliveries => "deliveries",
        }
    }
}

/// How full the queues are, all accounts together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueueStatistics {
    /// Jobs that wait to be written.
    pub jobs_queued: u64,
    /// Jobs that are being written or wait for another attempt.
    pub jobs_in_progress: u64,
    /// Since when the job that waits longest may be claimed; in the future if none may be yet.
    pub oldest_job_due: Option<Timestamp>,
    /// Posts that may be published by now.
    pub posts_due: u64,
    /// Since when the post that waits longest may be published; in the future if none may be yet.
    pub oldest_post_due: Option<Timestamp>,
    /// Deliveries to active endpoints that have not ended.
    pub deliveries_pending: u64,
    /// Since when the delivery to an active endpoint that waits longest may be sent; in the future if none may be yet.
    pub oldest_delivery_due: Option<Timestamp>,
}
