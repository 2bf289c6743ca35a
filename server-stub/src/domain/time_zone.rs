//! Time zones of websites: names of the IANA database, which is built in.

use chrono::{LocalResult, NaiveDateTime, Offset as _, TimeZone as _};
use chrono_tz::{GapInfo, Tz};

use super::clock::Timestamp;

/// How browsers write a date and time without a zone (HTML, "local date and time").
const LOCAL_FORMAT: &str = "%Y-%m-%dT%H:%M";

/// A time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeZone(Tz);

impl TimeZone {
    /// The zone with that IANA name, such as `Europe/London`.
    pub fn parse(name: &str) -> Option<Self> {
        name.parse().ok().map(Self)
    }

    /// The zone with that name; UTC where a name is stored that the database does not know.
    pub fn or_utc(name: &str) -> Self {
        Self::parse(name).unwrap_or(Self(Tz::UTC))
    }

    /// All names, sorted.
    pub fn names() -> impl Iterator<Item = &'static str> {
        chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name())
    }

    /// The IANA name.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// A moment for people, with the zone's abbreviation: `23 Nov 2026, 10:37 GMT`.
    pub fn show(self, time: Timestamp) -> String {
        time.to_chrono().with_timezone(&self.0).format("%-d %b %Y, %H:%M %Z").to_string()
    }

    /// A moment as the value of an input for date and time.
    pub fn to_local(self, time: Timestamp) -> String {
        time.to_chrono().with_timezone(&self.0).format(LOCAL_FORMAT).to_string()
    }

    /// What clocks of this zone show at a moment.
    pub fn local(self, time: Timestamp) -> NaiveDateTime {
        time.to_chrono().with_timezone(&self.0).naive_local()
    }

    /// The moment at which clocks of this zone show that date and time: the first where they show it twice. Where clocks are turned
    /// forward over it, the moment at which they are. `None` for what no clock of this database shows.
    pub fn first_moment(self, local: NaiveDateTime) -> Option<Timestamp> {
        match self.0.from_local_datetime(&local) {
            LocalResult::Single(time) | LocalResult::Ambiguous(time, _) => Some(time.to_utc().into()),
            LocalResult::None => {
                let (begin, offset) = GapInfo::new(&local, &self.0)?.begin?;
                Some(begin.checked_sub_offset(offset.fix())?.and_utc().into())
            }
        }
    }

    /// Whether the text is a date and time, be it one that this zone leaves out.
    pub fn is_local(text: &str) -> bool {
        NaiveDateTime::parse_from_str(text, LOCAL_FORMAT).is_ok()
            || NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S").is_ok()
    }

    /// The moment that a date and time of this zone stand for. When clocks are turned back, a time comes twice: then the first counts.
    /// `None` for what is no date and time, or is left out when clocks are turned forward.
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
        // Clocks go forward on 28 March 2027 at one, and back on 31 October at two.
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
