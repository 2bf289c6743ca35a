//! Result of a change that requires a lease: on a job, a post or a delivery.

/// Result of recording a change under a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeaseOutcome {
    /// The lease was valid, and the change is stored.
    Recorded,
    /// Another process has claimed the work, or it was cancelled. The store changed nothing.
    Lost,
}
