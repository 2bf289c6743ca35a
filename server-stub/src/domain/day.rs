//! Calendar days, for charts and date filters. `time_zone` decides when a day begins.

use std::fmt;

use chrono::NaiveDate;

/// A calendar day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i64);

impl Day {
    /// Returns the day of this date.
    pub fn of(date: NaiveDate) -> Self {
        Self(date.signed_duration_since(NaiveDate::default()).num_days())
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
        let day = Self::of(NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?);
        (text.len() == 10 && day.0 >= 0).then_some(day)
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

    /// Returns the date.
    pub fn date(self) -> NaiveDate {
        NaiveDate::default() + chrono::TimeDelta::days(self.0)
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
    fn a_day_reads_back() {
        let day = Day::parse("2026-11-23").unwrap();
        assert_eq!((day.to_string(), day.short()), ("2026-11-23".to_owned(), "23 Nov".to_owned()));
        assert_eq!((Day::of(day.date()), Day::from_number(day.number())), (day, day));
        assert_eq!(
            (day.plus(8).to_string(), Day::from_number(0).to_string()),
            ("2026-12-01".to_owned(), "1970-01-01".to_owned())
        );
        for text in ["", "2026-02-30", "1969-12-31", "23.11.2026", "2026-1-2", "99999-01-01"] {
            assert_eq!(Day::parse(text), None, "{text}");
        }
    }
}
