//! Hints to other processes. They travel by `LISTEN` and `NOTIFY`: see `postgres/hints.rs`.

/// A message to other processes: work waits, or a job ended. A hint may be lost, so all processes poll, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Hint {
    /// A job was queued.
    Jobs,
    /// A post became due.
    Posts,
    /// A delivery was written.
    Deliveries,
    /// The job became terminal.
    JobEnded(String),
}
