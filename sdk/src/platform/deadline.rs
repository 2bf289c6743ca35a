//! Moments that may be further away than timers can tell.

use std::time::Duration;

use super::here::{FOREVER, Instant};

/// The moment that comes a time after another: a limit that is very long is none.
pub(crate) fn after(begin: Instant, time: Duration) -> Instant {
    begin + time.min(FOREVER)
}
