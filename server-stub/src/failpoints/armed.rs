//! What a build with the feature `failpoints` does at its places. What is planned is in `plan`.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rand::RngExt as _;

use super::{Plan, Point, WorkTimes};

/// How long other threads go on before the process aborts, so that a response sent too early gets out and is noticed.
const ABORT_DELAY: Duration = Duration::from_millis(20);

struct Armed {
    plan: Plan,
    since: Instant,
    hits: AtomicU64,
    works: AtomicU64,
    commits: AtomicU64,
}

static ARMED: OnceLock<Armed> = OnceLock::new();

/// Arms this process, once; what was armed first stays.
pub fn arm(plan: Plan) {
    let [hits, works, commits] = [(); 3].map(|()| AtomicU64::new(0));
    ARMED.get_or_init(|| Armed { plan, since: Instant::now(), hits, works, commits });
}

/// Ends the process without any clean-up when `point` is the armed one and it is its turn. Commits are slowed
/// down here, so that more is under way when a process is killed.
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

/// Takes as long as planned, on a thread that may block.
pub fn delay_writing() {
    let Some(armed) = ARMED.get() else { return };
    pause(armed.plan.work.as_ref(), &armed.works);
}

fn pause(times: Option<&WorkTimes>, pieces: &AtomicU64) {
    let Some(times) = times else { return };
    let (shortest, longest) = times.of(pieces.fetch_add(1, Ordering::SeqCst));
    std::thread::sleep(Duration::from_millis(rand::rng().random_range(shortest..=longest)));
}

/// How long a claim holds.
pub fn lease_duration(usual: Duration) -> Duration {
    ARMED.get().and_then(|armed| armed.plan.lease).unwrap_or(usual)
}

/// How often a claim is renewed: six times in a lease, unless told otherwise.
pub fn renewal_interval(usual: Duration) -> Duration {
    let Some(armed) = ARMED.get() else { return usual };
    armed.plan.renewal.or_else(|| armed.plan.lease.map(|lease| lease / 6)).unwrap_or(usual)
}

/// How long a transaction may stand idle: a third of a lease, and not so short that a busy machine ends it.
pub fn idle_transaction_limit(usual: Duration) -> Duration {
    ARMED.get().and_then(|armed| armed.plan.lease).map_or(usual, |lease| (lease / 3).max(Duration::from_millis(500)))
}

/// How often work may be interrupted before it is blamed and fails. Unlimited under test, which kills the server more often
/// than crashes would.
pub fn interruptions(usual: u32) -> u32 {
    if ARMED.get().is_some() { u32::MAX } else { usual }
}

/// By how much the wall clock is shifted now.
pub fn clock_shift_millis() -> i64 {
    let Some(armed) = ARMED.get() else { return 0 };
    armed.plan.clock.as_ref().map_or(0, |jumps| jumps.shift_at(armed.since.elapsed()))
}
