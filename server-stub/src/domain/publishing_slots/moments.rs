//! Moments of slots. `time_zone` handles clock changes.

use std::iter;

use super::slot::PublishingSlots;
use crate::domain::clock::Timestamp;
use crate::domain::time_zone::TimeZone;

impl PublishingSlots {
    /// Returns the moments of the slots after `now`, in order, without end. A slot that a clock change skips moves to the first
    /// moment afterwards. Slots that become the same moment count once. A slot that occurs twice is at its first occurrence.
    pub fn after(&self, zone: TimeZone, now: Timestamp) -> impl Iterator<Item = Timestamp> {
        let days = zone.local(now).date().iter_days().take_while(|_| !self.is_empty());
        let mut moments = days.flat_map(move |day| {
            let times = self.times(chrono::Datelike::weekday(&day).into());
            times.filter_map(move |slot| zone.first_moment(day.and_time(slot.time())))
        });
        let mut last = now;
        iter::from_fn(move || {
            last = moments.find(|moment| *moment > last)?;
            Some(last)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use chrono::{NaiveDateTime, TimeDelta};
    use rand::rngs::ChaCha8Rng;
    use rand::{Rng, RngExt as _, SeedableRng as _};

    use super::*;
    use crate::domain::publishing_slots::{PublishingSlot, SlotTime, Weekday};

    const MINUTE: i64 = 60_000;
    const HOUR: i64 = 60 * MINUTE;
    const DAY: i64 = 24 * HOUR;
    /// Longer than the largest offset between two zones.
    const REACH: i64 = 26 * HOUR;

    /// Returns the first moments of the slots after `now`, as text.
    fn first(slots: &str, zone: &str, now: &str, count: usize) -> Vec<String> {
        let slots: PublishingSlots = slots.parse().unwrap();
        let now = Timestamp::parse(now).unwrap();
        let moments = slots.after(TimeZone::parse(zone).unwrap(), now).take(count);
        moments.map(|moment| moment.to_string().replace(":00.000Z", "Z")).collect()
    }

    #[test]
    fn a_slot_keeps_its_local_time_when_clocks_change() {
        // Summer time ends in London on 25 October 2026.
        let london = first("Tue,Thu 09:00", "Europe/London", "2026-10-20T08:00:00Z", 3);
        assert_eq!(london, ["2026-10-22T08:00Z", "2026-10-27T09:00Z", "2026-10-29T09:00Z"]);
        assert_eq!(first("", "Europe/London", "2026-10-20T08:00:00Z", 3), [""; 0]);
    }

    #[test]
    fn a_slot_in_the_hour_that_is_left_out_is_the_first_moment_afterwards() {
        // London changes from one to two o'clock on 28 March 2027, so 01:10, 01:30 and 02:00 become one moment.
        let london = first("Sun 00:59,01:10,01:30,02:00,02:01", "Europe/London", "2027-03-27T12:00:00Z", 4);
        assert_eq!(london, ["2027-03-28T00:59Z", "2027-03-28T01:00Z", "2027-03-28T01:01Z", "2027-04-03T23:59Z"]);
        let new_york = first("Sun 02:30", "America/New_York", "2027-03-10T00:00:00Z", 2);
        assert_eq!(new_york, ["2027-03-14T07:00Z", "2027-03-21T06:30Z"]);
        // Lord Howe changes by half an hour, from two to half past two.
        let lord_howe = first("Sun 02:15", "Australia/Lord_Howe", "2026-10-01T00:00:00Z", 2);
        assert_eq!(lord_howe, ["2026-10-03T15:30Z", "2026-10-10T15:15Z"]);
        // Samoa had no 30 December 2011: after Thursday came Saturday.
        let apia = first("Thu,Fri,Sat 09:00", "Pacific/Apia", "2011-12-28T19:00:00Z", 4);
        assert_eq!(apia, ["2011-12-29T19:00Z", "2011-12-30T10:00Z", "2011-12-30T19:00Z", "2012-01-04T19:00Z"]);
    }

    #[test]
    fn a_slot_in_the_hour_that_comes_twice_is_the_first_of_both() {
        let london = first("Sun 01:30", "Europe/London", "2026-10-24T00:00:00Z", 2);
        assert_eq!(london, ["2026-10-25T00:30Z", "2026-11-01T01:30Z"]);
        // Between both occurrences the slot is over, even if an article becomes ready then.
        assert_eq!(first("Sun 01:30", "Europe/London", "2026-10-25T00:45:00Z", 1), ["2026-11-01T01:30Z"]);
        let new_york = first("Sun 01:30", "America/New_York", "2026-10-31T00:00:00Z", 2);
        assert_eq!(new_york, ["2026-11-01T05:30Z", "2026-11-08T06:30Z"]);
        let lord_howe = first("Sun 01:45", "Australia/Lord_Howe", "2027-04-01T00:00:00Z", 2);
        assert_eq!(lord_howe, ["2027-04-03T14:45Z", "2027-04-10T15:15Z"]);
        // Morocco is one hour behind in Ramadan: from 7 February 2027 at three to 14 March at two.
        let casablanca = first("Sun 02:30", "Africa/Casablanca", "2027-02-01T00:00:00Z", 7);
        let expected =
            ["02-07T01:30", "02-14T02:30", "02-21T02:30", "02-28T02:30", "03-07T02:30", "03-14T02:00", "03-21T01:30"];
        assert_eq!(casablanca, expected.map(|time| format!("2027-{time}Z")));
    }

    /// Returns the moment of that local time, computed only from the zone's clocks. It does not query which local times the zone
    /// skips or repeats.
    fn counted(zone: TimeZone, local: NaiveDateTime) -> Timestamp {
        let as_utc = Timestamp::from(local.and_utc());
        let offset = |time: Timestamp| zone.local(time) - time.to_chrono().naive_utc();
        let offsets: BTreeSet<TimeDelta> = (-26..=26).map(|hours| offset(as_utc.plus_millis(hours * HOUR))).collect();
        let shown = offsets.into_iter().map(|offset| as_utc.plus_millis(-offset.num_milliseconds()));
        if let Some(first) = shown.filter(|time| zone.local(*time) == local).min() {
            return first;
        }
        let has_passed = |time: &Timestamp| zone.local(*time) > local;
        let mut minutes = (0..2 * REACH / MINUTE).map(|minute| as_utc.plus_millis(minute * MINUTE - REACH));
        let minute = minutes.find(has_passed).unwrap();
        (0..60).map(|second| minute.plus_millis(second * 1000 - 59_000)).find(has_passed).unwrap()
    }

    /// Returns a moment shortly before a clock change, or any moment if the zone has no change for years.
    fn before_a_change(zone: TimeZone, random: &mut impl Rng) -> Timestamp {
        let offset = |time: Timestamp| zone.local(time) - time.to_chrono().naive_utc();
        let start = Timestamp::from_millis(random.random_range(0..100 * 365 * DAY));
        let mut days = (0..1000).map(|day| start.plus_millis(day * DAY));
        let change = days.find(|day| offset(*day) != offset(day.plus_millis(DAY))).unwrap_or(start);
        change.plus_millis(random.random_range(-2 * DAY..DAY))
    }

    fn some_slots(zone: TimeZone, now: Timestamp, random: &mut impl Rng) -> PublishingSlots {
        let count = random.random_range(1..=50);
        // Many are at the hours of clock changes, on the following days.
        let slot = |_| {
            let soon = zone.local(now.plus_millis(random.random_range(0..4 * DAY)));
            let hour = if random.random() { random.random_range(0..4) } else { random.random_range(0..24) };
            let weekday = chrono::Datelike::weekday(&soon).into();
            PublishingSlot { weekday, time: SlotTime::new(hour, random.random_range(0..60)).unwrap() }
        };
        (0..count).map(slot).collect()
    }

    #[test]
    fn in_every_zone_every_slot_comes_once_a_week_at_its_local_time() {
        let seed: u64 = rand::rng().random();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (mut left_out, mut twice) = (0, 0);
        for name in TimeZone::names() {
            let zone = TimeZone::parse(name).unwrap();
            for _ in 0..3 {
                let now = before_a_change(zone, &mut random);
                let slots = some_slots(zone, now, &mut random);
                let case = format!("seed {seed}: {slots} in {name} after {now}");
                let days = zone.local(now).date().iter_days().take(22);
                let locals = days.flat_map(|day| {
                    let slots = slots.iter().filter(move |slot| slot.weekday == chrono::Datelike::weekday(&day).into());
                    slots.map(move |slot| day.and_time(slot.time.time()))
                });
                let expected: Vec<_> = locals.map(|local| (local, counted(zone, local))).collect();
                assert!(expected.is_sorted_by_key(|(_, moment)| *moment), "{case}: not in the order of clocks");
                for (local, moment) in &expected {
                    left_out += usize::from(zone.local(*moment) != *local);
                    twice += usize::from(zone.local(moment.plus_millis(HOUR)) == *local);
                }
                let mut expected: Vec<_> = expected.into_iter().map(|(_, moment)| moment).collect();
                expected.dedup();
                expected.retain(|moment| *moment > now);
                let moments: Vec<_> = slots.after(zone, now).take(expected.len()).collect();
                assert_eq!(moments, expected, "{case}");
                assert_eq!(slots.after(zone, expected[0]).next(), expected.get(1).copied(), "{case}");
                let weekdays: BTreeSet<Weekday> = slots.iter().map(|slot| slot.weekday).collect();
                assert!(expected.len() >= 2 * weekdays.len(), "{case}: some slot came less than once a week");
            }
        }
        assert!(
            left_out > 0 && twice > 0,
            "seed {seed}: clocks were turned over {left_out} slots and back over {twice}"
        );
    }
}
