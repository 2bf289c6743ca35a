//! How many hooks may be on their way at a time, and how many are claimed ahead of that. Claiming and recording wait for the
//! disk; a place that is free meanwhile would stay empty if only as much were claimed as there are places.

use std::sync::atomic::{AtomicU32, Ordering};

use tokio::sync::{Semaphore, SemaphorePermit};

/// Deliveries that are claimed ahead at most.
const AHEAD: u32 = 512;

/// Counts exchanges.
#[derive(Debug)]
pub(super) struct Traffic {
    places: Semaphore,
    /// Claimed, and waiting for a place.
    waiting: AtomicU32,
    /// Exchanges that ended since the last claim.
    ended: AtomicU32,
}

/// A place for one exchange, until it is dropped.
pub(super) struct Place<'t> {
    traffic: &'t Traffic,
    _permit: Option<SemaphorePermit<'t>>,
}

impl Traffic {
    /// As many places.
    pub(super) fn new(in_flight: u32) -> Self {
        Self { places: Semaphore::new(in_flight as usize), waiting: AtomicU32::new(0), ended: AtomicU32::new(0) }
    }

    /// How many may be claimed now: what finds a place at once, and twice as many as ended since the last claim was made.
    /// When receivers hang nothing ends, and nothing is claimed that would have to wait for them.
    pub(super) fn room(&self) -> u32 {
        let free = u32::try_from(self.places.available_permits()).unwrap_or(u32::MAX);
        let ahead = self.ended.swap(0, Ordering::Relaxed).saturating_mul(2).min(AHEAD);
        free.saturating_add(ahead).saturating_sub(self.waiting.load(Ordering::Relaxed))
    }

    /// Counts deliveries that will [`enter`](Self::enter).
    pub(super) fn expect(&self, claimed: u32) {
        self.waiting.fetch_add(claimed, Ordering::Relaxed);
    }

    /// Waits for a place; whoever came first gets it first.
    pub(super) async fn enter(&self) -> Place<'_> {
        // The places are never closed.
        let permit = self.places.acquire().await.ok();
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        Place { traffic: self, _permit: permit }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.traffic.ended.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[test]
    fn twice_as_much_is_claimed_ahead_as_ended_and_nothing_when_all_hang() {
        let traffic = Traffic::new(2);
        assert_eq!(traffic.room(), 2);
        traffic.expect(2);
        assert_eq!(traffic.room(), 0, "both places are spoken for");
        let places: Vec<_> = (0..2).filter_map(|_| traffic.enter().now_or_never()).collect();
        assert_eq!((places.len(), traffic.room()), (2, 0), "receivers hang");
        drop(places);
        assert_eq!(traffic.room(), 6, "two places, and twice the two that ended");
        traffic.expect(6);
        let places: Vec<_> = (0..2).filter_map(|_| traffic.enter().now_or_never()).collect();
        assert!(traffic.enter().now_or_never().is_none(), "no third place");
        assert_eq!((places.len(), traffic.room()), (2, 0), "four wait");
    }
}
