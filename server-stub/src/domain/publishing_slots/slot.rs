//! A slot and the slots of a website, with the field names of the API.

use std::collections::BTreeSet;
use std::fmt;

use chrono::NaiveTime;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::super::names::names;

/// Maximum number of slots of a website (`publishing_slots` under `x-limits`).
pub const MAX_SLOTS: usize = 50;
/// Number of slots ahead that are searched for a free one (`slots_ahead` under `x-limits`). If all are taken, the article waits
/// for approval.
pub const SLOTS_AHEAD: usize = 1000;

names! {
    /// Day of the week, ordered from Monday.
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Weekday {
        /// The first.
        Monday = "monday",
        /// The second.
        Tuesday = "tuesday",
        /// The third.
        Wednesday = "wednesday",
        /// The fourth.
        Thursday = "thursday",
        /// The fifth.
        Friday = "friday",
        /// The sixth.
        Saturday = "saturday",
        /// The last.
        Sunday = "sunday",
    }
}

impl From<chrono::Weekday> for Weekday {
    fn from(day: chrono::Weekday) -> Self {
        Self::ALL[day.num_days_from_monday() as usize]
    }
}

/// Hours and minutes of a day, written as `09:00`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SlotTime(NaiveTime);

impl SlotTime {
    /// Returns the time with these hours and minutes; `None` if they are out of range.
    pub fn new(hour: u32, minute: u32) -> Option<Self> {
        NaiveTime::from_hms_opt(hour, minute, 0).map(Self)
    }

    /// Reads `09:00` or `9:00`.
    pub fn parse(text: &str) -> Option<Self> {
        let (hour, minute) = text.split_once(':')?;
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let is_time = (1..=2).contains(&hour.len()) && minute.len() == 2 && is_number(hour) && is_number(minute);
        if is_time { Self::new(hour.parse().ok()?, minute.parse().ok()?) } else { None }
    }

    /// Returns the time of day.
    pub const fn time(self) -> NaiveTime {
        self.0
    }
}

impl fmt::Display for SlotTime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0.format("%H:%M"))
    }
}

impl Serialize for SlotTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SlotTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("not a time of the day"))
    }
}

/// A weekly time at which a website publishes one article, by the clocks of its time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PublishingSlot {
    /// Day of the week.
    pub weekday: Weekday,
    /// Time of day.
    pub time: SlotTime,
}

/// Slots of a website, at most [`MAX_SLOTS`], in weekly order. Without slots, articles are published as soon as they are ready.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PublishingSlots(BTreeSet<PublishingSlot>);

impl PublishingSlots {
    /// Returns true if there are no slots.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of slots.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns all slots, in weekly order.
    pub fn iter(&self) -> impl Iterator<Item = PublishingSlot> {
        self.0.iter().copied()
    }

    /// Returns the times of a day, in order.
    pub fn times(&self, weekday: Weekday) -> impl DoubleEndedIterator<Item = SlotTime> {
        self.0.iter().filter(move |slot| slot.weekday == weekday).map(|slot| slot.time)
    }
}

impl FromIterator<PublishingSlot> for PublishingSlots {
    fn from_iter<I: IntoIterator<Item = PublishingSlot>>(slots: I) -> Self {
        Self(slots.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_the_json_of_the_document_in_the_order_of_the_week() {
        let json = r#"[{"weekday":"thursday","time":"09:00"},{"weekday":"tuesday","time":"17:30"},
            {"weekday":"thursday","time":"09:00"}]"#;
        let slots: PublishingSlots = serde_json::from_str(json).unwrap();
        let ordered = r#"[{"weekday":"tuesday","time":"17:30"},{"weekday":"thursday","time":"09:00"}]"#;
        assert_eq!(serde_json::to_string(&slots).unwrap(), ordered);
        for wrong in ["24:00", "09:60", "0900", "009:00", "9:0", "-1:00", "+9:00", "09:00:00", ""] {
            assert_eq!(SlotTime::parse(wrong), None, "{wrong}");
        }
        for weekday in Weekday::ALL {
            assert_eq!(serde_json::to_value(weekday).unwrap(), weekday.as_str());
        }
    }
}
