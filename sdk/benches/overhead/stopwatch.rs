//! Processor time of one thread, which neither the server beside it nor other programs disturb much.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Measures from its start.
pub(crate) struct Stopwatch(Duration);

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self(thread_time())
    }

    /// Microseconds of this thread's processor time since the start.
    pub(crate) fn micros(&self) -> f64 {
        thread_time().saturating_sub(self.0).as_secs_f64() * 1e6
    }
}

fn thread_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}
