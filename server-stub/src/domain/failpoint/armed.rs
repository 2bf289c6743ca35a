//! What a build with the feature `failpoints` does at its places. What is planned is in `plan`.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rand::Rng as _;

use super::{Plan, Point};

struct Armed {
    plan: Plan,
    since: Instant,
    hits: AtomicU64,
    works: AtomicU64,
}

static ARMED: OnceLock<Armed> = OnceLock::new();

/// Arms this process, once; what was armed first stays.
pub fn arm(plan: Plan) {
    ARMED.get_or_init(|| Armed { plan, since: Instant::now(), hits: AtomicU64::new(0), works: AtomicU64::new(0) });
}

/// Ends the process without any clean-up when `point` is the armed one and it is its turn.
pub fn hit(point: Point) {
    let Some(armed) = ARMED.get() else { return };
    let Some(stop) = armed.plan.stop.filter(|stop| stop.point == point) else { return };
    if armed.hits.fetch_add(1, Ordering::SeqCst) + 1 == stop.at_hit {
        std::process::abort();
    }
}

/// Takes as long as planned, on a thread that may block.
pub fn work() {
    let Some(armed) = ARMED.get() else { return };
    let Some(times) = &armed.plan.work else { return };
    let (shortest, longest) = times.of(armed.works.fetch_add(1, Ordering::SeqCst));
    std::thread::sleep(Duration::from_millis(rand::rng().random_range(shortest..=longest)));
}

/// How long a claim holds.
pub fn lease(usual: Duration) -> Duration {
    ARMED.get().and_then(|armed| armed.plan.lease).unwrap_or(usual)
}

/// How often a claim is renewed: six times in a lease, unless told otherwise.
pub fn renewal(usual: Duration) -> Duration {
    let Some(armed) = ARMED.get() else { return usual };
    armed.plan.renewal.or_else(|| armed.plan.lease.map(|lease| lease / 6)).unwrap_or(usual)
}

/// By how much the wall clock is wrong at present.
pub fn clock_shift_millis() -> i64 {
    let Some(armed) = ARMED.get() else { return 0 };
    armed.plan.clock.as_ref().map_or(0, |jumps| jumps.shift_at(armed.since.elapsed()))
}
