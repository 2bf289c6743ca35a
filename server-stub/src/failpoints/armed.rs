//! Failpoints of a build with the feature `failpoints`: the failures and delays that a test plans, and the code that carries them
//! out.

use std::str::FromStr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rand::RngExt as _;

use super::Point;

/// Time that other threads keep running before the process aborts, so that a test notices a response that was sent too early.
const ABORT_DELAY: Duration = Duration::from_millis(20);

struct Armed {
    plan: Plan,
    since: Instant,
    hits: AtomicU64,
    works: AtomicU64,
    commits: AtomicU64,
}

static ARMED: OnceLock<Armed> = OnceLock::new();

/// Arms this process. Later calls do nothing.
pub fn arm(plan: Plan) {
    let [hits, works, commits] = [(); 3].map(|()| AtomicU64::new(0));
    ARMED.get_or_init(|| Armed { plan, since: Instant::now(), hits, works, commits });
}

/// Aborts the process, without any clean-up, if `point` is the armed one and was passed the planned number of times. Also slows
/// commits down, so that more work is in progress when a process is killed.
pub fn hit(point: Point) {
    let Some(armed) = ARMED.get() else { return };
    if matches!(point, Point::WriterBeforeCommit | Point::WriterAfterCommit) {
        pause(armed.plan.commit.as_ref(), &armed.commits);
    }
    let Some(stop) = armed.plan.stop.filter(|stop| stop.point == point) else { return };
    if armed.hits.fetch_add(1, Ordering::SeqCst) + 1 == stop.at_hit {
        std::thread::sleep(ABORT_DELAY);
        std::process::abort();
    }
}

/// Blocks the thread for the planned time.
pub fn delay_writing() {
    let Some(armed) = ARMED.get() else { return };
    pause(armed.plan.work.as_ref(), &armed.works);
}

fn pause(times: Option<&WorkTimes>, pieces: &AtomicU64) {
    let Some(times) = times else { return };
    let (shortest, longest) = times.of(pieces.fetch_add(1, Ordering::SeqCst));
    std::thread::sleep(Duration::from_millis(rand::rng().random_range(shortest..=longest)));
}

/// Duration of a claim.
pub fn lease_duration(usual: Duration) -> Duration {
    ARMED.get().and_then(|armed| armed.plan.lease).unwrap_or(usual)
}

/// Time between two renewals of a claim. The default of a plan with a lease is a sixth of the lease.
pub fn renewal_interval(usual: Duration) -> Duration {
    let Some(armed) = ARMED.get() else { return usual };
    armed.plan.renewal.or_else(|| armed.plan.lease.map(|lease| lease / 6)).unwrap_or(usual)
}

/// Maximum time a transaction may be idle: a third of a lease, but at least 500 ms, which a busy machine needs.
pub fn idle_transaction_limit(usual: Duration) -> Duration {
    ARMED.get().and_then(|armed| armed.plan.lease).map_or(usual, |lease| (lease / 3).max(Duration::from_millis(500)))
}

/// Maximum number of interruptions before work fails. Unlimited under test, because a test kills the server more often than it
/// would crash.
pub fn interruptions(usual: u32) -> u32 {
    if ARMED.get().is_some() { u32::MAX } else { usual }
}

/// Returns the current shift of the wall clock, in milliseconds.
pub fn clock_shift_millis() -> i64 {
    let Some(armed) = ARMED.get() else { return 0 };
    armed.plan.clock.as_ref().map_or(0, |jumps| jumps.shift_at(armed.since.elapsed()))
}

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
