//! Times as people read them, always with their zone.

use crate::domain::clock::Timestamp;
use crate::domain::time_zone::TimeZone;

/// A moment on a page: `<time datetime="{{ time.exact }}">{{ time.shown }}</time>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DisplayTime {
    /// RFC 3339.
    pub(super) exact: String,
    /// For people.
    pub(super) shown: String,
}

impl From<Timestamp> for DisplayTime {
    fn from(time: Timestamp) -> Self {
        Self { exact: time.to_string(), shown: time.to_chrono().format("%-d %b %Y, %H:%M UTC").to_string() }
    }
}

impl DisplayTime {
    /// The moment with its seconds, where several lie within a minute.
    pub(super) fn with_seconds(time: Timestamp) -> Self {
        Self { exact: time.to_string(), shown: time.to_chrono().format("%-d %b %Y, %H:%M:%S UTC").to_string() }
    }

    /// The moment in the time zone of a website.
    pub(super) fn in_zone(time: Timestamp, zone: TimeZone) -> Self {
        Self { exact: time.to_string(), shown: zone.show(time) }
    }
}
