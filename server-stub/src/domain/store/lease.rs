//! What becomes of a change that needs a lease. Leases of jobs, posts and deliveries are claimed in their queues.

/// Whether a lease still held when its holder recorded something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeaseOutcome {
    /// It held, and the change is stored.
    Recorded,
    /// Another process has taken the work meanwhile, or it was cancelled. Nothing was stored.
    Lost,
}
