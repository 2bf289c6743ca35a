//! Timestamps, and the [`Clock`] that provides them. The implementations of the clock are outside of `domain`.

use std::fmt;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A time in milliseconds since the Unix epoch, written as RFC 3339 in UTC with milliseconds and `Z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Creates a timestamp from milliseconds since the Unix epoch.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Returns the milliseconds since the Unix epoch.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Returns the whole seconds since the Unix epoch, rounded down.
    pub const fn seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Returns this time plus `millis`, which may be negative.
    #[must_use]
    pub const fn plus_millis(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    /// Returns this time plus `duration`.
    #[must_use]
    pub fn plus(self, duration: std::time::Duration) -> Self {
        self.plus_millis(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX))
    }

    /// Returns this time minus `duration`.
    #[must_use]
    pub fn minus(self, duration: std::time::Duration) -> Self {
        self.plus_millis(-i64::try_from(duration.as_millis()).unwrap_or(i64::MAX))
    }

    /// Parses RFC 3339 with a zone and truncates to milliseconds. `None` if the text has another form.
    pub fn parse(text: &str) -> Option<Self> {
        let parsed = DateTime::parse_from_rfc3339(text).ok()?;
        Some(Self(parsed.timestamp_millis()))
    }

    /// Returns the same time as a `chrono` value, clamped to the range of `chrono`.
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

/// Source of time: the system in production, a manually set value in tests. It has two clocks, which differ by hours after the
/// machine's clock was set.
pub trait Clock: Send + Sync + fmt::Debug {
    /// Returns the system's wall-clock time, which may jump: for times that users see, plan, or compare with their own clocks.
    fn wall(&self) -> Timestamp;
    /// Returns a time that neither jumps nor goes back: for leases, pauses and deadlines, and for places in queues.
    fn steady(&self) -> Timestamp;
    /// Returns the current time of both clocks.
    fn moment(&self) -> Moment {
        Moment { wall: self.wall(), steady: self.steady() }
    }
}

/// One moment by both clocks of a [`Clock`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// Wall-clock time.
    pub wall: Timestamp,
    /// Steady time, for queues and leases.
    pub steady: Timestamp,
}
