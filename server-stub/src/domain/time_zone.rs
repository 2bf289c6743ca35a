//! Time zones of websites: names of the built-in IANA database.

use chrono::{LocalResult, NaiveDateTime, NaiveTime, Offset as _, TimeZone as _};
use chrono_tz::{GapInfo, Tz};

use super::account::{Website, WebsiteStatus};
use super::clock::Timestamp;
use super::day::Day;

/// Format of a date and time without a zone in browsers (HTML, "local date and time").
const LOCAL_FORMAT: &str = "%Y-%m-%dT%H:%M";

/// A time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeZone(Tz);

impl TimeZone {
    /// Coordinated universal time.
    pub const UTC: Self = Self(Tz::UTC);

    /// Returns the zone with that IANA name, such as `Europe/London`.
    pub fn parse(name: &str) -> Option<Self> {
        name.parse().ok().map(Self)
    }

    /// Returns the zone with that name, or UTC if the database does not contain the stored name.
    pub fn or_utc(name: &str) -> Self {
        Self::parse(name).unwrap_or(Self::UTC)
    }

    /// Returns the zone of the days in a list: that of its website, or of all `websites` of the account if `website_id` is empty
    /// and they agree. Archived ones need not agree. Otherwise returns UTC.
    pub fn of_list(websites: &[Website], website_id: &str) -> Self {
        let is_listed = |website: &&Website| match website_id {
            "" => website.status != WebsiteStatus::Archived,
            _ => website.website_id == website_id,
        };
        let mut names = websites.iter().filter(is_listed).map(|website| &website.time_zone);
        let first = names.next().filter(|first| names.all(|name| name == *first));
        Self::or_utc(first.map_or("UTC", String::as_str))
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

    /// Returns the first moment of the day. If a change of the clocks skips the whole day, that is the first moment of the next
    /// one.
    pub fn start_of(self, day: Day) -> Timestamp {
        let midnight = day.date().and_time(NaiveTime::MIN);
        self.first_moment(midnight).unwrap_or_else(|| midnight.and_utc().into())
    }

    /// Returns the day of this time. If clocks are set back over midnight, the new day continues.
    pub fn day_of(self, time: Timestamp) -> Day {
        let day = Day::of(self.local(time).date());
        if self.start_of(day.plus(1)) <= time { day.plus(1) } else { day }
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
    use crate::domain::lead_form::LeadForm;
    use crate::domain::publishing_slots::PublishingSlots;

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

    #[test]
    fn a_day_begins_at_local_midnight_or_when_clocks_skip_it() {
        let start = |zone, day| TimeZone::parse(zone).unwrap().start_of(Day::parse(day).unwrap()).to_string();
        assert_eq!(start("UTC", "2026-11-23"), "2026-11-23T00:00:00.000Z");
        assert_eq!(start("Europe/Vienna", "2027-06-01"), "2027-05-31T22:00:00.000Z");
        // Clocks change forward at midnight, back over midnight, and by a whole day.
        assert_eq!(start("Africa/Cairo", "2027-04-30"), "2027-04-29T22:00:00.000Z");
        assert_eq!(start("Africa/Cairo", "2027-10-29"), "2027-10-28T22:00:00.000Z");
        assert_eq!(start("Pacific/Apia", "2011-12-30"), start("Pacific/Apia", "2011-12-31"));
    }

    #[test]
    fn a_list_has_the_days_of_its_website_or_those_that_all_share() {
        let website = |id: &str, zone: &str, status| Website {
            website_id: id.to_owned(),
            time_zone: zone.to_owned(),
            status,
            account_id: "acct_1".to_owned(),
            name: id.to_owned(),
            url: format!("https://{id}.example"),
            pages_at_url: false,
            full_text_feed: false,
            language: "en".to_owned(),
            auto_publish: true,
            publishing_slots: PublishingSlots::default(),
            brand_voice_id: None,
            lead_retention: None,
            target_word_count: None,
            lead_form: LeadForm::default(),
            created_at: Timestamp::from_millis(0),
            updated_at: Timestamp::from_millis(0),
        };
        let (active, archived) = (WebsiteStatus::Active, WebsiteStatus::Archived);
        let vienna = [website("a", "Europe/Vienna", active), website("b", "Europe/Vienna", active)];
        let closed = [&vienna[..], &[website("c", "Asia/Tokyo", archived)]].concat();
        let mixed = [&closed[..], &[website("d", "Asia/Kolkata", active)]].concat();
        for (websites, website_id, expected) in [
            (&[][..], "", "UTC"),
            (&vienna[..], "", "Europe/Vienna"),
            (&closed[..], "", "Europe/Vienna"),
            (&closed[..], "c", "Asia/Tokyo"),
            (&mixed[..], "", "UTC"),
            (&mixed[..], "d", "Asia/Kolkata"),
            (&mixed[..], "unknown", "UTC"),
        ] {
            assert_eq!(TimeZone::of_list(websites, website_id).name(), expected, "{website_id} of {}", websites.len());
        }
    }

    proptest! {
        /// Days follow each other without a gap, also when clocks change.
        #[test]
        fn every_time_is_in_the_day_that_began_last(
            millis in 0_i64..4_000_000_000_000, near in -3..4_i64,
            name in prop::sample::select(TimeZone::names().collect::<Vec<_>>()),
        ) {
            let zone = TimeZone::parse(name).unwrap();
            let midnight = zone.start_of(zone.day_of(Timestamp::from_millis(millis)));
            for time in [millis, midnight.millis(), midnight.millis() - 1, midnight.millis() + near * 1_800_000] {
                let time = Timestamp::from_millis(time);
                let day = zone.day_of(time);
                prop_assert!(zone.start_of(day) <= time && time < zone.start_of(day.plus(1)), "{time} {day}");
                let length = zone.start_of(day.plus(1)).millis() - zone.start_of(day).millis();
                prop_assert!(length <= 48 * 3_600_000, "{day} has {length} ms");
            }
        }

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
