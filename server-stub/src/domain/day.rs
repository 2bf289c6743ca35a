//! UTC days, for charts and date filters.

use std::fmt;

use chrono::{DateTime, NaiveDate};

use super::clock::Timestamp;

/// Milliseconds in a day.
const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// A UTC day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i64);

impl Day {
    /// Returns the day of this time.
    pub const fn of(time: Timestamp) -> Self {
        Self(time.millis().div_euclid(DAY_MILLIS))
    }

    /// Returns the day that is `number` days after 1 January 1970.
    pub const fn from_number(number: i64) -> Self {
        Self(number)
    }

    /// Returns the number of days since 1 January 1970.
    pub const fn number(self) -> i64 {
        self.0
    }

    /// Reads `2026-11-23`, the value of a date input. `None` if the text is not a date from 1970 to 9999.
    pub fn parse(text: &str) -> Option<Self> {
        let date = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
        let day = Self::of(date.and_time(chrono::NaiveTime::MIN).and_utc().into());
        (text.len() == 10 && day.0 >= 0).then_some(day)
    }

    /// Returns the first moment of the day.
    pub const fn start(self) -> Timestamp {
        Timestamp::from_millis(self.0.saturating_mul(DAY_MILLIS))
    }

    /// Returns the day that is `days` later, or earlier if negative.
    #[must_use]
    pub const fn plus(self, days: i64) -> Self {
        Self(self.0.saturating_add(days))
    }

    /// Returns the short form for display: `23 Nov`.
    pub fn short(self) -> String {
        self.date().format("%-d %b").to_string()
    }

    fn date(self) -> DateTime<chrono::Utc> {
        self.start().to_chrono()
    }
}

/// Writes `2026-11-23`.
impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.date().format("%Y-%m-%d"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight_utc_and_reads_back() {
        let day = Day::of(Timestamp::parse("2026-11-23T23:59:59.999Z").unwrap());
        assert_eq!((day.to_string(), day.short()), ("2026-11-23".to_owned(), "23 Nov".to_owned()));
        assert_eq!(Day::parse("2026-11-23"), Some(day));
        assert_eq!(day.plus(1).start().to_string(), "2026-11-24T00:00:00.000Z");
        for text in ["", "2026-02-30", "1969-12-31", "23.11.2026", "2026-1-2", "99999-01-01"] {
            assert_eq!(Day::parse(text), None, "{text}");
        }
    }
}
