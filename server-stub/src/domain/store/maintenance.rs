//! Sizes of the queues, and counts of deleted records. `retention` defines the retention times.

use std::ops::AddAssign;

use super::super::names::names;
use crate::domain::clock::Timestamp;
use crate::domain::retention::RecordKind;

/// Result of one purge transaction.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PurgedBatch {
    /// Number of deleted records.
    pub purged: Purged,
    /// Start of the next batch; `None` if no expired record of this kind is left, or another process is purging.
    pub next: Option<String>,
}

/// Numbers of deleted records by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Purged {
    /// Responses stored for idempotency keys.
    pub idempotency_keys: u64,
    /// Leads.
    pub leads: u64,
    /// Unconfirmed leads.
    pub unconfirmed_leads: u64,
    /// Events.
    pub events: u64,
    /// Deliveries.
    pub deliveries: u64,
    /// Attempts.
    pub attempts: u64,
    /// Scheduled posts.
    pub posts: u64,
    /// Jobs.
    pub jobs: u64,
    /// Entries of the audit trail.
    pub audit_entries: u64,
    /// Deleted websites of which nothing is left.
    pub websites: u64,
    /// Deleted accounts of which nothing is left.
    pub accounts: u64,
}

impl Purged {
    /// Returns the number of deleted records of this kind.
    pub const fn count(&self, kind: RecordKind) -> u64 {
        match kind {
            RecordKind::IdempotencyKey => self.idempotency_keys,
            RecordKind::Lead => self.leads,
            RecordKind::UnconfirmedLead => self.unconfirmed_leads,
            RecordKind::Event => self.events,
            RecordKind::Delivery => self.deliveries,
            RecordKind::Attempt => self.attempts,
            RecordKind::Post => self.posts,
            RecordKind::Job => self.jobs,
            RecordKind::AuditEntry => self.audit_entries,
            RecordKind::DeletedWebsite => self.websites,
            RecordKind::DeletedAccount => self.accounts,
        }
    }
}

impl AddAssign for Purged {
    fn add_assign(&mut self, other: Self) {
        self.idempotency_keys += other.idempotency_keys;
        self.leads += other.leads;
        self.unconfirmed_leads += other.unconfirmed_leads;
        self.events += other.events;
        self.deliveries += other.deliveries;
        self.attempts += other.attempts;
        self.posts += other.posts;
        self.jobs += other.jobs;
        self.audit_entries += other.audit_entries;
        self.websites += other.websites;
        self.accounts += other.accounts;
    }
}

/// Numbers of records that a deletion removes, for the user who confirms it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeletionCounts {
    /// Websites.
    pub websites: u64,
    /// Articles.
    pub articles: u64,
    /// Scheduled posts, each with its job.
    pub posts: u64,
    /// Leads.
    pub leads: u64,
    /// Webhook endpoints, with their deliveries.
    pub endpoints: u64,
}

names! {
    /// A queue from which workers claim.
    pub enum Queue {
        /// Jobs to be written.
        Jobs = "jobs",
        /// Posts to be published.
        Posts = "posts",
        /// Deliveries to be sent.
        Deliveries = "deliveries",
    }
}

/// Sizes of the queues, for all accounts together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueueStatistics {
    /// Jobs that wait to be written.
    pub jobs_queued: u64,
    /// Jobs that are being written or wait for another attempt.
    pub jobs_in_progress: u64,
    /// Time from which the oldest waiting job may be claimed; in the future if no job is due.
    pub oldest_job_due: Option<Timestamp>,
    /// Posts that are due.
    pub posts_due: u64,
    /// Time from which the oldest waiting post may be published; in the future if no post is due.
    pub oldest_post_due: Option<Timestamp>,
    /// Unfinished deliveries to active endpoints.
    pub deliveries_pending: u64,
    /// Time from which the oldest waiting delivery to an active endpoint may be sent; in the future if no delivery is due.
    pub oldest_delivery_due: Option<Timestamp>,
}
