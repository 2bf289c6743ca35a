//! Parses a publishing time that a user typed in the time zone of the website.

use super::super::generate::same_date_next_year;
use crate::domain::clock::Timestamp;
use crate::domain::publishing_slots::SLOTS_AHEAD;
use crate::domain::time_zone::TimeZone;

/// Time at which an article is to be published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PublishTime<'a> {
    /// At once.
    Now,
    /// Date and time in the website's time zone, in the format of browsers: `2027-06-01T09:00`.
    At(&'a str),
}

/// Reason why an article cannot be published at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PublishTimeError {
    /// The text is not a date and time.
    #[error("write a date and a time, such as 2027-06-01T09:00")]
    NotATime,
    /// The time does not exist because clocks are turned forward.
    #[error(
        "this time does not exist in {0}, because the clocks are turned forward; choose a time one hour earlier or later"
    )]
    Skipped(&'static str),
    /// The time is in the past.
    #[error("this time is in the past in {0}; choose a later one, or publish at once")]
    Past(&'static str),
    /// The time is more than a year ahead.
    #[error("this time is more than one year ahead; choose an earlier one")]
    TooFarAhead,
    /// The website has no slots.
    #[error("the website no longer has publishing slots; choose a date and a time, or publish at once")]
    NoSlots,
    /// All slots are taken.
    #[error(
        "the next {SLOTS_AHEAD} publishing slots of the website are taken; choose a date and a time, or cancel some articles"
    )]
    NoFreeSlot,
}

impl PublishTime<'_> {
    /// Returns the moment in the given zone; `None` means at once.
    pub(super) fn moment(self, zone: TimeZone, now: Timestamp) -> Result<Option<Timestamp>, PublishTimeError> {
        let Self::At(typed) = self else { return Ok(None) };
        if !TimeZone::is_local(typed) {
            return Err(PublishTimeError::NotATime);
        }
        let time = zone.from_local(typed).ok_or(PublishTimeError::Skipped(zone.name()))?;
        if time <= now {
            return Err(PublishTimeError::Past(zone.name()));
        }
        if time > same_date_next_year(now) {
            return Err(PublishTimeError::TooFarAhead);
        }
        Ok(Some(time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_in_the_websites_zone_and_bounded() {
        let zone = TimeZone::parse("Europe/Berlin").unwrap();
        let now = Timestamp::parse("2027-01-15T12:00:00Z").unwrap();
        let read = |typed| PublishTime::At(typed).moment(zone, now);
        assert_eq!(read("2027-06-01T09:00"), Ok(Timestamp::parse("2027-06-01T07:00:00Z")));
        assert_eq!(read("2027-01-15T13:00"), Err(PublishTimeError::Past("Europe/Berlin")));
        assert!(read("2027-01-15T13:01").is_ok());
        assert_eq!(read("2027-03-28T02:30"), Err(PublishTimeError::Skipped("Europe/Berlin")));
        assert!(read("2028-01-15T13:00").is_ok());
        assert_eq!(read("2028-01-15T13:01"), Err(PublishTimeError::TooFarAhead));
        for typed in ["", "soon", "2027-02-30T09:00", "2027-06-01", "999999999-01-01T00:00"] {
            assert_eq!(read(typed), Err(PublishTimeError::NotATime), "{typed}");
        }
        assert_eq!(PublishTime::Now.moment(zone, now), Ok(None));
    }
}
