//! Result of handling a hook once, and the status to answer it with.

use http::StatusCode;

/// Result of [`ReplayGuard::handle`](super::ReplayGuard::handle). `E` is the error of the work, `G` that of the guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use = "answer the hook with its `status`"]
pub enum Handled<E, G> {
    /// The work is done.
    Now,
    /// The event was handled before, and the work was not started.
    Before,
    /// Another handler is working on the event, and the work was not started. That handler may fail, so the sender must retry.
    InProgress,
    /// The work failed. The event is released, so that a retry is handled.
    Failed(E),
    /// The storage of the guard failed. The work was not started, or is done without being recorded.
    GuardFailed(G),
}

impl<E, G> Handled<E, G> {
    /// Status to answer the hook with: 204 if the event is handled, 503 if the sender must retry.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Now | Self::Before => StatusCode::NO_CONTENT,
            Self::InProgress | Self::Failed(_) | Self::GuardFailed(_) => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}
