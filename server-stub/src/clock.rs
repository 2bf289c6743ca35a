//! The clocks that read the machine's time. Other modules receive one as a [`Clock`].

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::Utc;

use crate::domain::clock::{Clock, Moment, Timestamp};
use crate::failpoints;

/// Maximum difference that is corrected at once, in microseconds. Synchronised clocks differ by less.
const FOLLOWED_AT_ONCE_MICROS: i64 = 500_000;
/// Larger differences are corrected by a tenth of the time that passes.
const SLEW_DIVISOR: i64 = 10;

/// The system's wall clock as both times, for programs too short to be affected by a change of the clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock that everything else is handed")]
    fn wall(&self) -> Timestamp {
        Timestamp::from(Utc::now()).plus_millis(failpoints::clock_shift_millis())
    }

    fn steady(&self) -> Timestamp {
        self.wall()
    }

    fn moment(&self) -> Moment {
        let wall = self.wall();
        Moment { wall, steady: wall }
    }
}

/// The service's clock: the system's wall clock, and a steady time that never goes back and never jumps. With jumps, setting the
/// clock would end leases and pauses early. The steady time approaches its reference slowly: an hour's difference takes ten hours.
#[derive(Debug)]
pub struct SlewedClock {
    /// Returns the time since a fixed moment, including suspension of the machine.
    elapsed: fn() -> Duration,
    wall: fn() -> Timestamp,
    state: Mutex<State>,
}

/// State of the clock. All values are in microseconds.
#[derive(Debug)]
struct State {
    /// The last steady time.
    shown: i64,
    /// Value of `elapsed` at that time.
    at: i64,
    /// Time of another reference, and the value of `elapsed` then. `None` while the system's clock is the reference.
    reference: Option<(i64, i64)>,
}

impl Default for SlewedClock {
    fn default() -> Self {
        Self::new(elapsed, || SystemClock.wall())
    }
}

impl SlewedClock {
    fn new(elapsed: fn() -> Duration, wall: fn() -> Timestamp) -> Self {
        let state = State { shown: to_micros(wall()), at: whole_micros(elapsed()), reference: None };
        Self { elapsed, wall, state: Mutex::new(state) }
    }

    /// Makes another clock, which shows `time` now, the reference. This is the database's clock, which several machines
    /// share. The first call sets the steady time to `time` at once.
    pub fn set_reference(&self, time: Timestamp) {
        let at = whole_micros((self.elapsed)());
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.reference.is_none() {
            (state.shown, state.at) = (to_micros(time), at);
        }
        state.reference = Some((to_micros(time), at));
    }

    /// Returns the steady time while the wall clock shows `wall`.
    fn steady_at(&self, wall: Timestamp) -> Timestamp {
        let now = whole_micros((self.elapsed)());
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = (now - state.at).max(0);
        let target = match state.reference {
            Some((time, at)) => time + (now - at),
            None => to_micros(wall),
        };
        let difference = target - (state.shown + passed);
        let correction = if difference.abs() <= FOLLOWED_AT_ONCE_MICROS {
            difference
        } else {
            difference.clamp(-passed / SLEW_DIVISOR, passed / SLEW_DIVISOR)
        };
        state.shown += (passed + correction).max(0);
        state.at = now;
        Timestamp::from_millis(state.shown / 1000)
    }
}

impl Clock for SlewedClock {
    fn moment(&self) -> Moment {
        let wall = self.wall();
        Moment { wall, steady: self.steady_at(wall) }
    }

    fn steady(&self) -> Timestamp {
        self.moment().steady
    }

    fn wall(&self) -> Timestamp {
        (self.wall)()
    }
}

fn to_micros(time: Timestamp) -> i64 {
    time.millis().saturating_mul(1000)
}

fn whole_micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// Returns the time since the machine started, including suspension.
fn elapsed() -> Duration {
    #[cfg(target_os = "linux")]
    let clock = rustix::time::ClockId::Boottime;
    #[cfg(not(target_os = "linux"))]
    let clock = rustix::time::ClockId::Monotonic;
    let time = rustix::time::clock_gettime(clock);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::prelude::*;

    use super::*;

    thread_local! {
        static ELAPSED: Cell<i64> = const { Cell::new(0) };
        static WALL: Cell<i64> = const { Cell::new(0) };
    }

    const BEGIN: i64 = 1_790_000_000_000;
    const HOUR: i64 = 3_600_000;

    /// Returns a clock whose sources only move with [`pass`].
    fn clock() -> SlewedClock {
        ELAPSED.set(0);
        WALL.set(BEGIN);
        SlewedClock::new(
            || Duration::from_millis(u64::try_from(ELAPSED.get()).unwrap()),
            || Timestamp::from_millis(WALL.get()),
        )
    }

    fn pass(millis: i64) {
        ELAPSED.set(ELAPSED.get() + millis);
        WALL.set(WALL.get() + millis);
    }

    #[test]
    fn an_hours_jump_either_way_changes_nothing_at_once_and_is_made_up_for_in_ten_hours() {
        for jump in [HOUR, -HOUR] {
            let clock = clock();
            WALL.set(WALL.get() + jump);
            assert_eq!(clock.steady().millis(), BEGIN);
            pass(60_000);
            assert!((clock.steady().millis() - BEGIN - 60_000).abs() <= 6_000);
            assert_eq!(clock.wall().millis(), BEGIN + jump + 60_000);
            for _ in 0..660 {
                pass(60_000);
                clock.steady();
            }
            assert_eq!(clock.steady(), clock.wall(), "{jump}");
        }
    }

    #[test]
    fn a_given_reference_is_followed_instead_of_the_system() {
        let clock = clock();
        clock.set_reference(Timestamp::from_millis(BEGIN + HOUR));
        assert_eq!(clock.steady().millis(), BEGIN + HOUR);
        pass(1_000);
        clock.set_reference(Timestamp::from_millis(BEGIN + HOUR + 1_200));
        assert_eq!(clock.steady().millis(), BEGIN + HOUR + 1_200);
        clock.set_reference(Timestamp::from_millis(BEGIN));
        assert_eq!(clock.steady().millis(), BEGIN + HOUR + 1_200);
    }

    proptest! {
        #[test]
        fn it_never_goes_back_and_keeps_pace(steps in proptest::collection::vec((0_i64..120_000, -2 * HOUR..2 * HOUR), 1..60)) {
            let clock = clock();
            let mut last = clock.steady().millis();
            for (passed, jump) in steps {
                pass(passed);
                WALL.set(WALL.get() + jump);
                let now = clock.steady().millis();
                let slack = passed / SLEW_DIVISOR + FOLLOWED_AT_ONCE_MICROS / 1000 + 1;
                prop_assert!(now >= last && (now - last - passed).abs() <= slack, "{now} after {last} and {passed}");
                last = now;
            }
        }
    }
}
