//! A slot and the slots of a website, with the member names of the API.

use std::collections::BTreeSet;
use std::fmt;

use chrono::NaiveTime;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Most slots of a website (`publishing_slots` under `x-limits`).
pub const MAX_SLOTS: usize = 50;
/// How many slots ahead an article is planned (`slots_ahead` under `x-limits`). Where all are taken, it waits for approval.
pub const SLOTS_AHEAD: usize = 1000;

/// A day of the week, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weekday {
    /// The first.
    Monday,
    /// The second.
    Tuesday,
    /// The third.
    Wednesday,
    /// The fourth.
    Thursday,
    /// The fifth.
    Friday,
    /// The sixth.
    Saturday,
    /// The last.
    Sunday,
}

impl Weekday {
    /// Every day.
    pub const ALL: [Self; 7] =
        [Self::Monday, Self::Tuesday, Self::Wednesday, Self::Thursday, Self::Friday, Self::Saturday, Self::Sunday];

    /// The name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Monday => "monday",
            Self::Tuesday => "tuesday",
            Self::Wednesday => "wednesday",
            Self::Thursday => "thursday",
            Self::Friday => "friday",
            Self::Saturday => "saturday",
            Self::Sunday => "sunday",
        }
    }
}

impl From<chrono::Weekday> for Weekday {
    fn from(day: chrono::Weekday) -> Self {
        Self::ALL[day.num_days_from_monday() as usize]
    }
}

/// Hours and minutes of a day, written `09:00`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SlotTime(NaiveTime);

impl SlotTime {
    /// The time with these hours and minutes, if a day has it.
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

    /// The time of the day.
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

/// A time of the week at which one article of a website is published, by the clocks of its time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PublishingSlot {
    /// On which day.
    pub weekday: Weekday,
    /// At which time.
    pub time: SlotTime,
}

/// The slots of a website, at most [`MAX_SLOTS`], in the order of the week. Without any, articles are published when they are ready.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PublishingSlots(BTreeSet<PublishingSlot>);

impl PublishingSlots {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// All of them, in the order of the week.
    pub fn iter(&self) -> impl Iterator<Item = PublishingSlot> {
        self.0.iter().copied()
    }

    /// The times of a day, in their order.
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
