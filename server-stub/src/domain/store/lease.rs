//! The result of a change that needs a lease: on a job, a post or a delivery.

/// Whether a lease was still held when its holder recorded something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeaseOutcome {
    /// The lease held, and the change is stored.
    Recorded,
    /// Another process has claimed the work meanwhile, or it was cancelled. Nothing was stored.
    Lost,
}
