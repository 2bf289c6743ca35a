//! Times and ids for people. Times always have a time zone.

use crate::domain::clock::Timestamp;
use crate::domain::time_zone::TimeZone;

/// Number of random characters shown.
const SHOWN: usize = 8;

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

/// Shortens an id to its prefix and its random end: `art_…33df8423`.
pub(super) fn short_id(id: &str) -> String {
    match id.split_once('_') {
        Some((prefix, rest)) if rest.len() > SHOWN && rest.is_ascii() => {
            format!("{prefix}_…{}", &rest[rest.len() - SHOWN..])
        }
        _ => id.to_owned(),
    }
}
