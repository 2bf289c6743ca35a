//! The one place that asks for the time of day; everything else is given it.

use std::time::SystemTime;

/// The time of day.
#[expect(clippy::disallowed_methods, reason = "this is the clock that everything else is given the time by")]
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}
