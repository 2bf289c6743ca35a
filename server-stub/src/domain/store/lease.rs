//! The result of a change that needs a lease. Leases are claimed in `job_queue`, `publication_queue` and `delivery_queue`.

/// Whether a lease was still held when its holder recorded something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeaseOutcome {
    /// The lease held, and the change is stored.
    Recorded,
    /// Another process has claimed the work meanwhile, or it was cancelled. Nothing was stored.
    Lost,
}
