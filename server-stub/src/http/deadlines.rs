//! Time limits for a client to send a request.

use std::time::Duration;

/// Time limits of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadlines {
    /// Limit for the headers. An idle connection is also closed after this time.
    pub headers: Duration,
    /// Limit for the body, from the time when the headers were read.
    pub body: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self { headers: Duration::from_secs(30), body: Duration::from_secs(30) }
    }
}
