//! The wall clock as both times, for programs too short to be affected by a change of the clock. `slewed` has a time without
//! jumps.

use chrono::Utc;

use crate::domain::clock::{Clock, Moment, Timestamp};
use crate::failpoints;

/// The system clock.
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
