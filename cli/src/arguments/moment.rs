//! Moments on the command line: a time with a zone, a day, or a duration before now.

use std::time::Duration;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};

use super::duration;

/// A moment in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// This moment.
    At(DateTime<Utc>),
    /// This long before now.
    Ago(Duration),
}

impl Moment {
    /// Parses `2026-11-02T08:00:00Z`, `2026-11-02` (its beginning, in UTC) or `7d` (before now).
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        if let Ok(time) = parse_time(text) {
            return Ok(Self::At(time));
        }
        if let Ok(day) = text.parse::<NaiveDate>() {
            return Ok(Self::At(day.and_time(NaiveTime::MIN).and_utc()));
        }
        duration::parse(text)
            .map(Self::Ago)
            .map_err(|_| "write it as 2026-11-02, 2026-11-02T08:00:00Z, or 7d for seven days ago".to_owned())
    }

    /// Returns the time of the moment.
    pub(crate) fn time(self) -> DateTime<Utc> {
        match self {
            Self::At(time) => time,
            Self::Ago(duration) => now() - duration,
        }
    }
}

/// Parses a time with a zone (RFC 3339).
pub(super) fn parse_time(text: &str) -> Result<DateTime<Utc>, String> {
    DateTime::parse_from_rfc3339(text)
        .map(|time| time.to_utc())
        .map_err(|_| "write it with a time zone, such as 2026-11-02T08:00:00Z or 2026-11-02T09:00:00+01:00".to_owned())
}

#[expect(clippy::disallowed_methods, reason = "what people call `7d` begins at their own clock")]
fn now() -> DateTime<Utc> {
    Utc::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_as_people_write_them() {
        let at = |text: &str| Moment::At(parse_time(text).unwrap());
        assert_eq!(Moment::parse("2026-11-02"), Ok(at("2026-11-02T00:00:00Z")));
        assert_eq!(Moment::parse("2026-11-02T09:00:00+01:00"), Ok(at("2026-11-02T08:00:00Z")));
        assert_eq!(Moment::parse("7d"), Ok(Moment::Ago(Duration::from_secs(168 * 60 * 60))));
        for wrong in ["yesterday", "2026-11-02T08:00:00", "2026-13-01", ""] {
            assert!(Moment::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
