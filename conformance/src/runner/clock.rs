//! The one place where the suite reads the wall clock.
//!
//! Durations are measured with `Instant` where they are needed.

use std::time::{SystemTime, UNIX_EPOCH};

/// Whole seconds since the Unix epoch.
pub fn unix_seconds() -> i64 {
    unix_milliseconds() / 1000
}

/// Whole milliseconds since the Unix epoch.
#[expect(clippy::disallowed_methods, reason = "this is the clock that the rest of the crate is given its time by")]
pub fn unix_milliseconds() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
