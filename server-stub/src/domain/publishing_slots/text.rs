//! Text form of slots: `Tue,Thu 09:00; Sat 10:00,16:30`.

use std::fmt;
use std::str::FromStr;

use super::slot::{MAX_SLOTS, PublishingSlot, PublishingSlots, SlotTime, Weekday};

/// Maximum length of a text to read, in characters. The longest text that is written has about a third of that.
pub const MAX_TEXT_CHARS: usize = 1000;
/// Maximum number of characters of the text that an error shows.
const MAX_SHOWN_CHARS: usize = 40;
/// Minimum number of letters that identify a day.
const SHORTEST_DAY: usize = 3;

/// Reason why a text is not a list of slots.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// The word is neither a day nor a time.
    #[error("“{0}” is neither a day of the week nor a time; write slots like Tue,Thu 09:00; Sat 10:00,16:30")]
    UnknownWord(String),
    /// The day has no time.
    #[error("“{0}” has no time; write the time after the days, such as Tue,Thu 09:00")]
    NoTime(String),
    /// The time has no day.
    #[error("“{0}” has no day; write the days first, such as Tue,Thu 09:00, or daily 09:00")]
    NoDay(String),
    /// The time is out of range.
    #[error("“{0}” is not a time of day; write hours from 00 to 23 and minutes, such as 09:00 or 17:30")]
    NoSuchTime(String),
    /// There are too many slots.
    #[error("{0} slots are too many, a website has at most {MAX_SLOTS}; remove some")]
    TooMany(usize),
    /// The text is too long.
    #[error(
        "the text is longer than {MAX_TEXT_CHARS} characters; combine days that have the same times, such as Mon-Fri 09:00"
    )]
    TooLong,
}

/// Reads groups of days and times. Days precede their times. Commas, spaces, semicolons and new lines are separators. A day is
/// its English name, in full or at least three letters; a range such as `Mon-Fri`; or `daily`. An empty text means no slots.
impl FromStr for PublishingSlots {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        if text.chars().count() > MAX_TEXT_CHARS {
            return Err(TextError::TooLong);
        }
        let mut slots = Vec::new();
        for part in text.split([';', '\n']) {
            read_part(part, &mut slots)?;
        }
        let slots: Self = slots.into_iter().collect();
        if slots.len() > MAX_SLOTS { Err(TextError::TooMany(slots.len())) } else { Ok(slots) }
    }
}

/// Reads the groups of a part. A day after a time begins the next group.
fn read_part(part: &str, slots: &mut Vec<PublishingSlot>) -> Result<(), TextError> {
    let words = part.split(|letter: char| letter == ',' || letter.is_whitespace()).filter(|word| !word.is_empty());
    let mut days: Vec<Weekday> = Vec::new();
    // Last day without a time so far.
    let mut open = None;
    for word in words {
        if let Some(named) = parse_days(word) {
            if open.is_none() {
                days.clear();
            }
            days.extend(named);
            open = Some(word);
        } else if word.contains(':') {
            let time = SlotTime::parse(word).ok_or_else(|| TextError::NoSuchTime(shown(word)))?;
            if days.is_empty() {
                return Err(TextError::NoDay(shown(word)));
            }
            slots.extend(days.iter().map(|&weekday| PublishingSlot { weekday, time }));
            open = None;
        } else {
            return Err(TextError::UnknownWord(shown(word)));
        }
    }
    open.map_or(Ok(()), |word| Err(TextError::NoTime(shown(word))))
}

/// Returns the days that a word names: one day, a range that may include the weekend, or all days.
fn parse_days(word: &str) -> Option<Vec<Weekday>> {
    let word = word.to_lowercase();
    if word == "daily" {
        return Some(Weekday::ALL.to_vec());
    }
    let Some((first, last)) = word.split_once(['-', '\u{2013}']) else { return Some(vec![parse_day(&word)?]) };
    let (first, last) = (parse_day(first)? as usize, parse_day(last)? as usize);
    let count = (last + Weekday::ALL.len() - first) % Weekday::ALL.len() + 1;
    Some(Weekday::ALL.into_iter().cycle().skip(first).take(count).collect())
}

fn parse_day(word: &str) -> Option<Weekday> {
    let singular = word.strip_suffix("days").map(|stem| format!("{stem}day"));
    let name = singular.as_deref().unwrap_or(word);
    let is_day = |day: &Weekday| name.len() >= SHORTEST_DAY && day.as_str().starts_with(name);
    Weekday::ALL.into_iter().find(is_day)
}

/// Returns the beginning of the typed word, without control characters.
fn shown(word: &str) -> String {
    let mut shown: String = word.chars().filter(|letter| !letter.is_control()).take(MAX_SHOWN_CHARS).collect();
    if shown.len() < word.len() {
        shown.push('…');
    }
    shown
}

/// Writes the slots as text. Days with the same times are grouped, without ranges: `Tue,Thu 09:00; Sat 10:00,16:30`.
impl fmt::Display for PublishingSlots {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = |day: Weekday| self.times(day).map(|time| time.to_string()).collect::<Vec<_>>().join(",");
        let mut groups: Vec<(Vec<&str>, String)> = Vec::new();
        for day in Weekday::ALL {
            let (name, times) = (short(day), times(day));
            if times.is_empty() {
                continue;
            }
            match groups.iter_mut().find(|(_, others)| *others == times) {
                Some((days, _)) => days.push(name),
                None => groups.push((vec![name], times)),
            }
        }
        let groups: Vec<_> = groups.into_iter().map(|(days, times)| format!("{} {times}", days.join(","))).collect();
        formatter.write_str(&groups.join("; "))
    }
}

/// Returns the three-letter name.
const fn short(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "Mon",
        Weekday::Tuesday => "Tue",
        Weekday::Wednesday => "Wed",
        Weekday::Thursday => "Thu",
        Weekday::Friday => "Fri",
        Weekday::Saturday => "Sat",
        Weekday::Sunday => "Sun",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_people_write_is_understood() {
        for (typed, written) in [
            ("Tue,Thu 09:00", "Tue,Thu 09:00"),
            ("thursdays, tuesdays 9:00", "Tue,Thu 09:00"),
            ("Tue 09:00 Thu 09:00\nSaturday 16:30, 10:00;", "Tue,Thu 09:00; Sat 10:00,16:30"),
            ("Mon-Wed 08:00", "Mon,Tue,Wed 08:00"),
            ("Sat\u{2013}Mon 08:00", "Mon,Sat,Sun 08:00"),
            ("Daily 23:59", "Mon,Tue,Wed,Thu,Fri,Sat,Sun 23:59"),
            ("Wednes 00:00; WED 0:00", "Wed 00:00"),
            (" \n ", ""),
        ] {
            assert_eq!(typed.parse::<PublishingSlots>().map(|slots| slots.to_string()), Ok(written.to_owned()));
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_the_way_to_mend_it() {
        let refused = |text: &str| text.parse::<PublishingSlots>().unwrap_err();
        assert_eq!(refused("Tue at 09:00"), TextError::UnknownWord("at".to_owned()));
        assert_eq!(refused("Dienstag 09:00"), TextError::UnknownWord("Dienstag".to_owned()));
        assert_eq!(refused("Tu 09:00"), TextError::UnknownWord("Tu".to_owned()));
        assert_eq!(refused("Tue 9"), TextError::UnknownWord("9".to_owned()));
        assert_eq!(refused("Tue 09:00; Thu"), TextError::NoTime("Thu".to_owned()));
        assert_eq!(refused("Tue; 09:00"), TextError::NoTime("Tue".to_owned()));
        assert_eq!(refused("09:00 Tue"), TextError::NoDay("09:00".to_owned()));
        assert_eq!(refused("Tue 24:00"), TextError::NoSuchTime("24:00".to_owned()));
        assert_eq!(refused(&"\u{1b}x".repeat(100)), TextError::UnknownWord(format!("{}…", "x".repeat(40))));
        assert_eq!(refused(&" ".repeat(1001)), TextError::TooLong);
        let hourly: Vec<_> = (0..8).map(|hour| format!("{hour}:00")).collect();
        assert_eq!(refused(&format!("daily {}", hourly.join(","))), TextError::TooMany(56));
        let fifty = format!("daily {}; Mon 20:00", hourly[..7].join(","));
        assert_eq!(fifty.parse::<PublishingSlots>().map(|slots| slots.len()), Ok(50));
    }

    pub(super) fn any_slots() -> impl Strategy<Value = PublishingSlots> {
        let slot = (0..7_usize, 0..24_u32, 0..60_u32).prop_map(|(day, hour, minute)| PublishingSlot {
            weekday: Weekday::ALL[day],
            time: SlotTime::new(hour, minute).unwrap(),
        });
        prop::collection::vec(slot, 0..=MAX_SLOTS).prop_map(|slots| slots.into_iter().collect())
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(slots in any_slots()) {
            let text = slots.to_string();
            prop_assert!(text.chars().count() <= MAX_TEXT_CHARS);
            prop_assert_eq!(text.parse::<PublishingSlots>(), Ok(slots));
        }

        #[test]
        fn no_text_breaks_the_reader(text in any::<String>()) {
            drop(text.parse::<PublishingSlots>());
        }
    }
}
