//! The time as the service writes it, and the [`Clock`] it is asked for. The clocks themselves are outside of `domain`.

use std::fmt;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A moment in milliseconds since the Unix epoch, written as RFC 3339 in UTC with milliseconds and `Z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// A moment from milliseconds since the Unix epoch.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the Unix epoch.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Whole seconds since the Unix epoch, rounded down.
    pub const fn seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// This moment moved by `millis`, which may be negative.
    #[must_use]
    pub const fn plus_millis(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    /// This moment moved by `duration` into the future.
    #[must_use]
    pub fn plus(self, duration: std::time::Duration) -> Self {
        self.plus_millis(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX))
    }

    /// This moment moved by `duration` into the past.
    #[must_use]
    pub fn minus(self, duration: std::time::Duration) -> Self {
        self.plus_millis(-i64::try_from(duration.as_millis()).unwrap_or(i64::MAX))
    }

    /// Parses RFC 3339 with a zone; sub-millisecond digits are cut off. `None` when the text is not of that form.
    pub fn parse(text: &str) -> Option<Self> {
        let parsed = DateTime::parse_from_rfc3339(text).ok()?;
        Some(Self(parsed.timestamp_millis()))
    }

    /// The same moment as a `chrono` value, clamped to what `chrono` can hold.
    pub fn to_chrono(self) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(self.0).unwrap_or(DateTime::<Utc>::MAX_UTC)
    }
}

impl From<DateTime<Utc>> for Timestamp {
    fn from(value: DateTime<Utc>) -> Self {
        Self(value.timestamp_millis())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.to_chrono().to_rfc3339_opts(SecondsFormat::Millis, true))
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("not an RFC 3339 date-time"))
    }
}

/// Where the time comes from: the system in production, a hand-moved value in tests. There are two, and they differ for hours
/// after somebody has set the machine's clock.
pub trait Clock: Send + Sync + fmt::Debug {
    /// The time of the system's wall clock, with its jumps: for what people see, plan, or compare with their own clocks.
    fn wall(&self) -> Timestamp;
    /// A time that neither jumps nor goes back: for leases, pauses and deadlines, and for places in queues.
    fn steady(&self) -> Timestamp;
    /// Both times of the present moment.
    fn moment(&self) -> Moment {
        Moment { wall: self.wall(), steady: self.steady() }
    }
}

/// One moment as both times of a [`Clock`] show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// What a wall clock shows.
    pub wall: Timestamp,
    /// What queues and leases go by.
    pub steady: Timestamp,
}
