//! Limits how many hooks are in flight, and says how many more to claim. Claiming and recording wait for the disk, so more
//! is claimed than there are slots; otherwise freed slots would stay empty meanwhile.

use std::sync::atomic::{AtomicU32, Ordering};

use tokio::sync::{Semaphore, SemaphorePermit};

/// Deliveries claimed beyond the free slots, at most.
const AHEAD: u32 = 512;

/// The slots, and what waits for them.
#[derive(Debug)]
pub(super) struct Traffic {
    slots: Semaphore,
    /// Claimed, and waiting for a slot.
    waiting: AtomicU32,
    /// Exchanges that ended since the last claim.
    ended: AtomicU32,
}

/// A slot for one exchange, until it is dropped.
pub(super) struct Slot<'t> {
    traffic: &'t Traffic,
    _permit: Option<SemaphorePermit<'t>>,
}

impl Traffic {
    /// With that many slots.
    pub(super) fn new(in_flight: u32) -> Self {
        Self { slots: Semaphore::new(in_flight as usize), waiting: AtomicU32::new(0), ended: AtomicU32::new(0) }
    }

    /// How many may be claimed now: as many as find a free slot, and twice as many as ended since the last claim. When
    /// receivers hang nothing ends, so nothing is claimed that would wait for them.
    pub(super) fn room(&self) -> u32 {
        let free = u32::try_from(self.slots.available_permits()).unwrap_or(u32::MAX);
        let ahead = self.ended.swap(0, Ordering::Relaxed).saturating_mul(2).min(AHEAD);
        free.saturating_add(ahead).saturating_sub(self.waiting.load(Ordering::Relaxed))
    }

    /// Counts deliveries that will [`enter`](Self::enter).
    pub(super) fn expect(&self, claimed: u32) {
        self.waiting.fetch_add(claimed, Ordering::Relaxed);
    }

    /// Waits for a slot; whoever came first gets it first.
    pub(super) async fn enter(&self) -> Slot<'_> {
        // The semaphore is never closed.
        let permit = self.slots.acquire().await.ok();
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        Slot { traffic: self, _permit: permit }
    }
}

impl Drop for Slot<'_> {
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
        assert_eq!(traffic.room(), 0, "both slots are spoken for");
        let slots: Vec<_> = (0..2).filter_map(|_| traffic.enter().now_or_never()).collect();
        assert_eq!((slots.len(), traffic.room()), (2, 0), "receivers hang");
        drop(slots);
        assert_eq!(traffic.room(), 6, "two slots, and twice the two that ended");
        traffic.expect(6);
        let slots: Vec<_> = (0..2).filter_map(|_| traffic.enter().now_or_never()).collect();
        assert!(traffic.enter().now_or_never().is_none(), "no third slot");
        assert_eq!((slots.len(), traffic.room()), (2, 0), "four wait");
    }
}
