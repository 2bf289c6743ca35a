//! A clock that a test sets.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use contentgen_server_stub::clock::SystemClock;
use contentgen_server_stub::domain::clock::{Clock, Timestamp};

/// 25 November 2026, 12:00 UTC: no test lasts until midnight.
const NOON: Timestamp = Timestamp::from_millis(1_795_608_000_000);

/// A clock that began at noon. It moves when a test moves it, and optionally with the system's clock.
#[derive(Debug)]
pub(crate) struct MovedClock {
    /// The system's time at noon, for a clock that moves with the system's clock.
    began: Option<Timestamp>,
    moved_ms: AtomicI64,
}

impl MovedClock {
    /// Returns a clock that also moves with the system's clock.
    pub(crate) fn running() -> Self {
        Self { began: Some(SystemClock.wall()), moved_ms: AtomicI64::new(0) }
    }

    /// Returns a clock that moves only by [`MovedClock::advance`].
    pub(crate) const fn stopped() -> Self {
        Self { began: None, moved_ms: AtomicI64::new(0) }
    }

    pub(crate) fn advance(&self, duration: Duration) {
        self.moved_ms.fetch_add(i64::try_from(duration.as_millis()).unwrap(), Ordering::SeqCst);
    }
}

impl Clock for MovedClock {
    fn wall(&self) -> Timestamp {
        let passed = self.began.map_or(0, |began| SystemClock.wall().millis() - began.millis());
        NOON.plus_millis(passed + self.moved_ms.load(Ordering::SeqCst))
    }

    fn steady(&self) -> Timestamp {
        self.wall()
    }
}
