//! The queues in numbers, for those who watch them. Nothing is decided by them.

use crate::domain::clock::Timestamp;

/// How full the queues are, all accounts together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueueStatistics {
    /// Jobs that wait to be written.
    pub jobs_queued: u64,
    /// Jobs that are being written or wait for another attempt.
    pub jobs_in_progress: u64,
    /// Since when the job that waits longest may be taken; a moment ahead when none may be yet.
    pub oldest_job_due: Option<Timestamp>,
    /// Posts that may be published by now.
    pub posts_due: u64,
    /// Since when the post that waits longest may be published; a moment ahead when none may be yet.
    pub oldest_post_due: Option<Timestamp>,
    /// Deliveries to active endpoints that have not ended.
    pub deliveries_pending: u64,
    /// Since when the delivery to an active endpoint that waits longest may be sent; a moment ahead when none may be yet.
    pub oldest_delivery_due: Option<Timestamp>,
}
