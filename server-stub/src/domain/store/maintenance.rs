//! What operating the database needs: whether it works, how full its queues are, and deleting what has expired.

use std::fmt;

use async_trait::async_trait;

use crate::domain::clock::Timestamp;

use super::Result;

/// Operating the database.
#[async_trait]
pub trait Maintenance: Send + Sync + fmt::Debug {
    /// Succeeds when the database can be written to and read.
    async fn check(&self) -> Result<()>;
    /// 32 random bytes made with the database: they sign page tokens.
    async fn token_secret(&self) -> Result<[u8; 32]>;
    /// How full the queues are, all accounts together.
    async fn queue_statistics(&self, now: Timestamp) -> Result<QueueStatistics>;
    /// Tasks of this process that wait for the database now; 0 where that is unknown.
    fn tasks_waiting(&self) -> u64 {
        0
    }
    /// Deletes what is kept for a limited time only (idempotency keys for 24 hours, events with their deliveries and
    /// attempts for 30 days), in small transactions. Returns how many rows were deleted.
    async fn purge(&self, now: Timestamp) -> Result<u64>;
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
