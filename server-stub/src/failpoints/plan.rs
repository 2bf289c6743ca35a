//! The failures and delays that a test plans for a process, parsed from environment variables. `armed` carries them out.

use std::str::FromStr;
use std::time::Duration;

use super::Point;

/// Everything a test may plan.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// Point at which the process aborts.
    pub stop: Option<Stop>,
    /// Minimum time for writing an article.
    pub work: Option<WorkTimes>,
    /// Minimum wait for a commit, once before and once after it is made.
    pub commit: Option<WorkTimes>,
    /// Duration of every claim.
    pub lease: Option<Duration>,
    /// Time between two renewals of a job's claim.
    pub renewal: Option<Duration>,
    /// Jumps of the wall clock.
    pub clock: Option<ClockJumps>,
}

/// Aborts the process the n-th time that it passes a point: `job-after-claim` or `job-after-claim:3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop {
    /// Point at which the process aborts.
    pub point: Point,
    /// Number of the pass that aborts the process, from 1.
    pub at_hit: u64,
}

impl FromStr for Stop {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, count) = text.split_once(':').unwrap_or((text, "1"));
        let known = || Point::ALL.map(Point::as_str).join(", ");
        let point = Point::parse(name).ok_or_else(|| format!("the places are {}", known()))?;
        let at_hit = count.parse().ok().filter(|count| *count > 0);
        Ok(Self { point, at_hit: at_hit.ok_or("write the number of the hit like job-after-claim:3, from 1")? })
    }
}

/// Durations of pieces of work, in milliseconds: `5..45`, or `700..900x20,5..45` when the first twenty take longer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkTimes {
    first: Vec<(u64, u64, u64)>,
    others: (u64, u64),
}

impl WorkTimes {
    /// Returns the shortest and the longest time of piece number `index`, from 0.
    pub fn of(&self, index: u64) -> (u64, u64) {
        let mut passed = 0;
        for (count, shortest, longest) in &self.first {
            passed += count;
            if index < passed {
                return (*shortest, *longest);
            }
        }
        self.others
    }
}

impl FromStr for WorkTimes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let usage =
            || "write milliseconds like 5..45, or 700..900x20,5..45 when the first twenty take longer".to_owned();
        let range = |text: &str| {
            let (shortest, longest) = text.split_once("..")?;
            let (shortest, longest) = (shortest.parse().ok()?, longest.parse().ok()?);
            (shortest <= longest).then_some((shortest, longest))
        };
        let mut parts: Vec<&str> = text.split(',').collect();
        let others = parts.pop().and_then(range).ok_or_else(usage)?;
        let counted = |part: &str| {
            let (times, count) = part.split_once('x')?;
            let (shortest, longest) = range(times)?;
            Some((count.parse().ok()?, shortest, longest))
        };
        let first = parts.into_iter().map(counted).collect::<Option<_>>().ok_or_else(usage)?;
        Ok(Self { first, others })
    }
}

/// Jumps of the wall clock: seconds and time of each, such as `+3600s@2s,-3600s@4s`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClockJumps(Vec<(Duration, i64)>);

impl ClockJumps {
    /// Returns the sum of the jumps up to `elapsed`, in milliseconds.
    pub fn shift_at(&self, elapsed: Duration) -> i64 {
        let happened = self.0.iter().filter(|(at, _)| *at <= elapsed);
        happened.map(|(_, seconds)| seconds.saturating_mul(1000)).fold(0, i64::saturating_add)
    }
}

impl FromStr for ClockJumps {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let jump = |text: &str| {
            let (seconds, at) = text.split_once('@')?;
            let seconds = seconds.strip_suffix('s')?.parse().ok()?;
            Some((Duration::from_secs(at.strip_suffix('s')?.parse().ok()?), seconds))
        };
        let jumps = text.split(',').map(jump).collect::<Option<_>>();
        jumps.map(Self).ok_or_else(|| "write jumps like +3600s@2s,-3600s@4s".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_armed_by_its_name_and_an_unknown_one_is_answered_with_the_list() {
        let stop = Stop { point: Point::HookAfterHttp, at_hit: 3 };
        assert_eq!("hook-after-http:3".parse(), Ok(stop));
        assert_eq!("overdue-jobs-failed".parse(), Ok(Stop { point: Point::AfterOverdueJobsFailed, at_hit: 1 }));
        let refused = "somewhere".parse::<Stop>().unwrap_err();
        assert!(Point::ALL.iter().all(|point| refused.contains(point.as_str())), "{refused}");
        assert!("overdue-jobs-failed:0".parse::<Stop>().is_err());
    }

    #[test]
    fn the_first_pieces_of_work_may_take_longer() {
        let times: WorkTimes = "700..900x2,5..45".parse().unwrap();
        assert_eq!([times.of(0), times.of(1), times.of(2)], [(700, 900), (700, 900), (5, 45)]);
        assert!(["", "5", "9..5", "5..9x", "1..2x3"].iter().all(|text| text.parse::<WorkTimes>().is_err()));
    }

    #[test]
    fn jumps_of_the_clock_add_up() {
        let jumps: ClockJumps = "+3600s@2s,-7200s@4s".parse().unwrap();
        let shifts = [1, 2, 4].map(|seconds| jumps.shift_at(Duration::from_secs(seconds)));
        assert_eq!(shifts, [0, 3_600_000, -3_600_000]);
        assert!("3600@2s".parse::<ClockJumps>().is_err());
    }
}
