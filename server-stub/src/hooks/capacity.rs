//! Slots for hooks in flight, and the number of deliveries to claim for them. Claiming and recording wait for the disk, so more
//! deliveries are claimed than there are slots: otherwise freed slots would stay empty.

use std::sync::atomic::{AtomicU32, Ordering};

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_util::sync::CancellationToken;

/// Maximum number of deliveries claimed beyond the free slots.
const MAX_CLAIMED_AHEAD: u32 = 512;

/// Slots for hooks in flight, and the number of deliveries that wait for one.
#[derive(Debug)]
pub(super) struct SendingSlots {
    free: Semaphore,
    /// Deliveries that are claimed and wait for a slot.
    waiting: AtomicU32,
    /// Exchanges that ended since the last claim.
    ended_since_claim: AtomicU32,
}

/// Slot for one exchange, freed on drop.
pub(super) struct Slot<'t> {
    slots: &'t SendingSlots,
    _permit: SemaphorePermit<'t>,
}

impl SendingSlots {
    /// Creates the given number of slots.
    pub(super) fn new(in_flight: u32) -> Self {
        Self {
            free: Semaphore::new(in_flight as usize),
            waiting: AtomicU32::new(0),
            ended_since_claim: AtomicU32::new(0),
        }
    }

    /// Returns how many deliveries to claim now: one for each free slot, and two for each exchange that ended since the last claim.
    /// When receivers hang, no exchange ends, and nothing is claimed ahead.
    pub(super) fn claimable(&self) -> u32 {
        let free = u32::try_from(self.free.available_permits()).unwrap_or(u32::MAX);
        let ahead = self.ended_since_claim.swap(0, Ordering::Relaxed).saturating_mul(2).min(MAX_CLAIMED_AHEAD);
        free.saturating_add(ahead).saturating_sub(self.waiting.load(Ordering::Relaxed))
    }

    /// Counts claimed deliveries, each of which will [`acquire`](Self::acquire) a slot.
    pub(super) fn add_waiting(&self, claimed: u32) {
        self.waiting.fetch_add(claimed, Ordering::Relaxed);
    }

    /// Waits for a slot, first come, first served. Returns `None` if `stop` is cancelled first.
    pub(super) async fn acquire(&self, stop: &CancellationToken) -> Option<Slot<'_>> {
        let permit = tokio::select! {
            biased;
            () = stop.cancelled() => None,
            // The semaphore is never closed.
            permit = self.free.acquire() => permit.ok(),
        };
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        permit.map(|permit| Slot { slots: self, _permit: permit })
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        self.slots.ended_since_claim.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[test]
    fn twice_the_ended_exchanges_are_claimed_ahead_and_none_if_receivers_hang() {
        let (slots, stop) = (SendingSlots::new(2), CancellationToken::new());
        assert_eq!(slots.claimable(), 2);
        slots.add_waiting(2);
        assert_eq!(slots.claimable(), 0, "one delivery waits for each slot");
        let taken: Vec<_> = (0..2).filter_map(|_| slots.acquire(&stop).now_or_never()).collect();
        assert_eq!((taken.len(), slots.claimable()), (2, 0), "receivers hang");
        drop(taken);
        assert_eq!(slots.claimable(), 6, "two slots, and twice the two that ended");
        slots.add_waiting(6);
        let taken: Vec<_> = (0..2).filter_map(|_| slots.acquire(&stop).now_or_never()).collect();
        assert!(slots.acquire(&stop).now_or_never().is_none(), "no third slot");
        assert_eq!((taken.len(), slots.claimable()), (2, 0), "four wait");
        drop(taken);
        stop.cancel();
        assert!(matches!(slots.acquire(&stop).now_or_never(), Some(None)), "nothing is begun any more");
    }
}
