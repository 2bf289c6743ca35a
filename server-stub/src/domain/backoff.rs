//! How long a loop that serves a queue pauses when the database fails it. Nothing here waits.

use std::time::Duration;

const MIN_PAUSE: Duration = Duration::from_millis(100);
const MAX_PAUSE: Duration = Duration::from_secs(5);

/// Counts failures in a row: 0.1 s after the first, doubling up to 5 s.
#[derive(Debug, Clone, Copy, Default)]
pub struct Backoff {
    failures: u32,
}

impl Backoff {
    /// It worked again.
    pub fn reset(&mut self) {
        self.failures = 0;
    }

    /// It failed once more: pause that long.
    pub fn next_pause(&mut self) -> Duration {
        let pause = MIN_PAUSE.saturating_mul(1_u32 << self.failures.min(16)).min(MAX_PAUSE);
        self.failures = self.failures.saturating_add(1);
        pause
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_five_seconds_and_start_again_after_a_success() {
        let mut backoff = Backoff::default();
        let pauses: Vec<u128> = (0..8).map(|_| backoff.next_pause().as_millis()).collect();
        assert_eq!(pauses, [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
        backoff.reset();
        assert_eq!(backoff.next_pause(), MIN_PAUSE);
    }
}
