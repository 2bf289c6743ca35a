//! How long a client may take to send a request. What comes of a late one is decided where it is read.

use std::time::Duration;

/// The time limits of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadlines {
    /// For its headers; an idle connection is closed after it too.
    pub headers: Duration,
    /// For its body, beginning when its headers were read.
    pub body: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self { headers: Duration::from_secs(30), body: Duration::from_secs(30) }
    }
}
