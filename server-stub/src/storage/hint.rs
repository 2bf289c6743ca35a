//! Hints to other processes. They travel by `LISTEN` and `NOTIFY`: see `postgres/hints.rs`.

/// A message to other processes: work is waiting, or a job ended. A hint may be lost, so all processes also poll.
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
