//! The one place that asks for the time of day, and moments that no clock can tell.

use std::time::{Duration, SystemTime};

use tokio::time::Instant;

/// What stands for a time that no clock can tell: a limit that is that long is none.
const FOREVER: Duration = Duration::from_hours(24 * 365 * 30);

/// The time of day.
#[expect(clippy::disallowed_methods, reason = "this is the clock that everything else is given the time by")]
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}

/// A moment that may be further away than clocks can tell.
pub(crate) fn after(begin: Instant, time: Duration) -> Instant {
    begin.checked_add(time).unwrap_or_else(|| begin + FOREVER)
}
