//! Time zones of websites: names of the built-in IANA database.

use chrono::{LocalResult, NaiveDateTime, Offset as _, TimeZone as _};
use chrono_tz::{GapInfo, Tz};

use super::clock::Timestamp;

/// Format of a date and time without a zone in browsers (HTML, "local date and time").
const LOCAL_FORMAT: &str = "%Y-%m-%dT%H:%M";

/// A time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeZone(Tz);

impl TimeZone {
    /// Returns the zone with that IANA name, such as `Europe/London`.
    pub fn parse(name: &str) -> Option<Self> {
        name.parse().ok().map(Self)
    }

    /// Returns the zone with that name, or UTC if the database does not contain the stored name.
    pub fn or_utc(name: &str) -> Self {
        Self::parse(name).unwrap_or(Self(Tz::UTC))
    }

    /// Returns all names, sorted.
    pub fn names() -> impl Iterator<Item = &'static str> {
        chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name())
    }

    /// Returns the IANA name.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Formats a time for display, with the zone's abbreviation: `23 Nov 2026, 10:37 GMT`.
    pub fn show(self, time: Timestamp) -> String {
        time.to_chrono().with_timezone(&self.0).format("%-d %b %Y, %H:%M %Z").to_string()
    }

    /// Formats a time as the value of a date and time input.
    pub fn to_local(self, time: Timestamp) -> String {
        time.to_chrono().with_timezone(&self.0).format(LOCAL_FORMAT).to_string()
    }

    /// Returns the local time of this zone.
    pub fn local(self, time: Timestamp) -> NaiveDateTime {
        time.to_chrono().with_timezone(&self.0).naive_local()
    }

    /// Returns the moment of a local date and time. If it occurs twice, the first occurrence counts. If a clock change skips it,
    /// the moment of the change counts. `None` if the database has no such moment.
    pub fn first_moment(self, local: NaiveDateTime) -> Option<Timestamp> {
        match self.0.from_local_datetime(&local) {
            LocalResult::Single(time) | LocalResult::Ambiguous(time, _) => Some(time.to_utc().into()),
            LocalResult::None => {
                let (begin, offset) = GapInfo::new(&local, &self.0)?.begin?;
                Some(begin.checked_sub_offset(offset.fix())?.and_utc().into())
            }
        }
    }

    /// Returns true if the text is a date and time, even one that this zone skips.
    pub fn is_local(text: &str) -> bool {
        NaiveDateTime::parse_from_str(text, LOCAL_FORMAT).is_ok()
            || NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S").is_ok()
    }

    /// Returns the moment of a local date and time of this zone. If it occurs twice, the first occurrence counts. `None` if the
    /// text is not a date and time, or a clock change skips it.
    pub fn from_local(self, text: &str) -> Option<Timestamp> {
        let local = NaiveDateTime::parse_from_str(text, LOCAL_FORMAT)
            .or_else(|_| NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S"))
            .ok()?;
        match self.0.from_local_datetime(&local) {
            LocalResult::Single(time) | LocalResult::Ambiguous(time, _) => Some(time.to_utc().into()),
            LocalResult::None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn daylight_saving_is_told_and_read_as_the_zone_has_it() {
        let zone = TimeZone::parse("Europe/London").unwrap();
        let at = |text: &str| zone.from_local(text).map(|time| time.to_string());
        assert_eq!(at("2027-06-01T09:00").unwrap(), "2027-06-01T08:00:00.000Z");
        assert_eq!(at("2027-01-01T09:00").unwrap(), "2027-01-01T09:00:00.000Z");
        // Clocks change forward on 28 March 2027 at one, and back on 31 October at two.
        assert_eq!(at("2027-03-28T01:30"), None);
        assert_eq!(at("2027-10-31T01:30").unwrap(), "2027-10-31T00:30:00.000Z");
        assert_eq!(at("tomorrow"), None);
        assert_eq!(zone.show(Timestamp::parse("2027-06-01T08:00:00Z").unwrap()), "1 Jun 2027, 09:00 BST");
        assert_eq!(TimeZone::parse("Mars/Olympus"), None);
    }

    proptest! {
        #[test]
        fn what_is_shown_in_an_input_reads_back(
            minutes in 0_i64..60_000_000, name in prop::sample::select(TimeZone::names().collect::<Vec<_>>()),
        ) {
            let zone = TimeZone::parse(name).unwrap();
            let time = Timestamp::from_millis(minutes * 60_000);
            let local = zone.to_local(time);
            // An input has no seconds, and before 1972 some zones had offsets with seconds.
            prop_assume!(minutes * 60 > 63_072_000);
            let read = zone.from_local(&local).unwrap();
            prop_assert_eq!(zone.to_local(read), local);
            prop_assert!((read.millis() - time.millis()).abs() <= 3 * 3_600_000);
        }
    }
}
