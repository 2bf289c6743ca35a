//! The only file in which the suite reads the wall clock.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the whole seconds since the Unix epoch.
pub fn unix_seconds() -> i64 {
    unix_milliseconds() / 1000
}

/// Returns the whole milliseconds since the Unix epoch.
#[expect(clippy::disallowed_methods, reason = "this is the clock that the rest of the crate is given its time by")]
pub fn unix_milliseconds() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
