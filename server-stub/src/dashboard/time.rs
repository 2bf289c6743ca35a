//! Formats times for people, always with the time zone.

use crate::domain::clock::Timestamp;
use crate::domain::time_zone::TimeZone;

/// Time on a page: `<time datetime="{{ time.exact }}">{{ time.shown }}</time>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DisplayTime {
    /// RFC 3339 format.
    pub(super) exact: String,
    /// Readable format.
    pub(super) shown: String,
}

impl From<Timestamp> for DisplayTime {
    fn from(time: Timestamp) -> Self {
        Self { exact: time.to_string(), shown: time.to_chrono().format("%-d %b %Y, %H:%M UTC").to_string() }
    }
}

impl DisplayTime {
    /// Formats a time with seconds, for lists with several times in one minute.
    pub(super) fn with_seconds(time: Timestamp) -> Self {
        Self { exact: time.to_string(), shown: time.to_chrono().format("%-d %b %Y, %H:%M:%S UTC").to_string() }
    }

    /// Formats a time in the time zone of a website.
    pub(super) fn in_zone(time: Timestamp, zone: TimeZone) -> Self {
        Self { exact: time.to_string(), shown: zone.show(time) }
    }
}
