//! Failure of a job or a post.

use serde::{Deserialize, Serialize};

/// Reason why a job or a post failed. `code` is a `JobErrorCode` or a `ScheduledPostErrorCode` of `openapi.yaml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Stable error code for programs.
    pub code: String,
    /// Message for people.
    pub message: String,
    /// True if the same request may succeed later.
    pub retryable: bool,
}

impl Failure {
    pub(super) fn new(code: &str, message: &str, retryable: bool) -> Self {
        Self { code: code.to_owned(), message: message.to_owned(), retryable }
    }

    /// Returns the failure of a job whose deadline has passed.
    pub fn timeout() -> Self {
        Self::new("generation_timeout", "The article was not written before the job's deadline.", true)
    }
}
