//! How connections are made, where that is this crate's to say.

use std::time::Duration;

/// How long connecting may take unless the builder is told otherwise.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// What the builder of a client was told.
#[derive(Clone, Debug)]
pub(crate) struct Connecting {
    /// How long it may take, as a part of an attempt.
    pub(crate) timeout: Duration,
    /// Whether the proxies of the environment are passed by.
    pub(crate) is_direct: bool,
}

impl Default for Connecting {
    fn default() -> Self {
        Self { timeout: CONNECT_TIMEOUT, is_direct: false }
    }
}
