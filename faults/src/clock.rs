//! Reads the wall clock. No other module does.

use std::time::{SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Utc};

/// Returns the current time, with milliseconds.
#[expect(clippy::disallowed_methods, reason = "this is the clock that the rest of the crate is given its time by")]
pub(crate) fn now() -> DateTime<Utc> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    DateTime::from_timestamp_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX)).unwrap_or_default()
}
