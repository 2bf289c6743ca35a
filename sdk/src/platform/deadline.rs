//! Deadlines that may be later than timers can represent.

use std::time::Duration;

use super::here::{FOREVER, Instant};

/// Returns the moment `time` after `begin`. A very long limit becomes `FOREVER`.
pub(crate) fn after(begin: Instant, time: Duration) -> Instant {
    begin + time.min(FOREVER)
}
