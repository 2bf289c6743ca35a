//! Failpoints of a build with the feature `failpoints`. `plan` parses what a test plans.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rand::RngExt as _;

use super::{Plan, Point, WorkTimes};

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
