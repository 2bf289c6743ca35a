//! The system's wall clock, with its jumps. Smoothing them is in `slewed`.

use chrono::Utc;

use crate::domain::clock::{Clock, Timestamp};
use crate::failpoints;

/// The system clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock that everything else is handed")]
    fn now(&self) -> Timestamp {
        Timestamp::from(Utc::now()).plus_millis(failpoints::clock_shift_millis())
    }
}
