//! Pauses between delivery attempts of a webhook. `hook` decides whether another attempt follows.

use std::str::FromStr;
use std::time::Duration;

use super::duration;

/// Pauses before attempts 2 to 10, from the example of Standard Webhooks: about 76 hours in total.
const DEFAULT_PAUSES: [Duration; 9] = [
    Duration::from_secs(5),
    Duration::from_mins(5),
    Duration::from_mins(30),
    Duration::from_hours(2),
    Duration::from_hours(5),
    Duration::from_hours(10),
    Duration::from_hours(14),
    Duration::from_hours(20),
    Duration::from_hours(24),
];
/// Maximum number of pauses of a schedule. The number of attempts is one more.
pub const MAX_PAUSES: usize = 20;
/// Minimum pause of a schedule.
pub const MIN_PAUSE: Duration = Duration::from_millis(10);
/// Maximum pause of a schedule.
pub const MAX_PAUSE: Duration = Duration::from_hours(7 * 24);
/// Longer than the longest pause with jitter.
pub const BEYOND_ALL_PAUSES: Duration = MAX_PAUSE.saturating_add(Duration::from_hours(24));
/// Maximum sum of all pauses. By default events are deleted after 30 days, which leaves time for the last attempt.
pub const MAX_TOTAL: Duration = Duration::from_hours(25 * 24);
/// Minimum pause after a sign of overload, unless all pauses of the schedule are shorter.
const OVERLOAD_PAUSE: Duration = Duration::from_mins(1);

/// Pauses between the attempts to deliver a webhook: 1 to [`MAX_PAUSES`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetrySchedule(Vec<Duration>);

impl Default for RetrySchedule {
    fn default() -> Self {
        Self(DEFAULT_PAUSES.to_vec())
    }
}

impl RetrySchedule {
    /// Returns the pause after attempt number `number` (1-based); `None` after the last one.
    pub fn pause_after(&self, number: u32) -> Option<Duration> {
        self.0.get(number.saturating_sub(1) as usize).copied()
    }

    /// Returns the sum of all pauses.
    pub fn total(&self) -> Duration {
        self.0.iter().sum()
    }

    /// Returns the minimum pause after a sign of overload: a minute, but never longer than the schedule's longest pause. So a
    /// schedule with short pauses stays short.
    pub fn overload_pause(&self) -> Duration {
        self.0.iter().copied().max().map_or(OVERLOAD_PAUSE, |longest| longest.min(OVERLOAD_PAUSE))
    }
}

impl FromStr for RetrySchedule {
    type Err = String;

    /// Reads `100ms,5s,5m,2h,1d`.
    fn from_str(text: &str) -> Result<Self, String> {
        let pauses: Vec<Duration> = text
            .split(',')
            .map(|part| duration::parse(part.trim()).filter(|pause| (MIN_PAUSE..=MAX_PAUSE).contains(pause)))
            .collect::<Option<_>>()
            .ok_or("write pauses from 10ms to 7d like 5s,5m,30m,2h")?;
        if pauses.len() > MAX_PAUSES {
            return Err(format!("{} pauses are too many, at most {MAX_PAUSES} are allowed", pauses.len()));
        }
        if pauses.iter().sum::<Duration>() > MAX_TOTAL {
            return Err("the pauses must add up to at most 25 days".to_owned());
        }
        Ok(Self(pauses))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_is_read_with_its_units_and_within_its_bounds() {
        let schedule: RetrySchedule = "10ms, 5s,7m,2h,7d".parse().unwrap();
        let pauses: Vec<u64> = (1..=5).filter_map(|number| schedule.pause_after(number)).map(|p| p.as_secs()).collect();
        assert_eq!(pauses, [0, 5, 420, 7200, 604_800]);
        assert_eq!(schedule.pause_after(6), None);
        for text in ["", "5", "s", "9ms", "8d", "5s,,5s", "99999999999999999999d", "-5s"] {
            assert!(text.parse::<RetrySchedule>().is_err(), "{text:?}");
        }
        assert!("7d,7d,7d,4d".parse::<RetrySchedule>().is_ok());
        assert!("7d,7d,7d,4d,10ms".parse::<RetrySchedule>().is_err());
        assert!(vec!["1s"; 20].join(",").parse::<RetrySchedule>().is_ok());
        assert!(vec!["1s"; 21].join(",").parse::<RetrySchedule>().is_err());
    }

    #[test]
    fn an_overloaded_receiver_gets_a_minute_unless_the_whole_schedule_is_quicker() {
        assert_eq!(RetrySchedule::default().overload_pause(), Duration::from_mins(1));
        let quick: RetrySchedule = "100ms,300ms,200ms".parse().unwrap();
        assert_eq!(quick.overload_pause(), Duration::from_millis(300));
    }
}
