//! The slots in which articles are written, and how many jobs to claim for them. A claimed job is kept from
//! other workers. So no more is claimed than will be begun soon, as far as the last articles tell.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

/// As many jobs are claimed ahead as quick articles ended within this time.
const LATELY: Duration = Duration::from_secs(1);
/// An article that took longer does not tell that the next ones begin soon.
const QUICK: Duration = LATELY;
/// Most jobs claimed ahead for each slot. They are enough for writing never to wait for the database.
const MAX_AHEAD_PER_SLOT: usize = 7;

/// One slot for each article that may be written at a time.
#[derive(Debug)]
pub(super) struct WritingSlots {
    count: usize,
    free: Arc<Semaphore>,
    quick_ends: Mutex<QuickEnds>,
}

/// A slot for one article, until it is dropped.
#[derive(Debug)]
pub(super) struct Slot {
    slots: Arc<WritingSlots>,
    taken_at: Instant,
    _permit: Option<OwnedSemaphorePermit>,
}

/// When quick articles ended, the oldest first; as many as may be claimed ahead.
#[derive(Debug)]
struct QuickEnds {
    most: usize,
    ended_at: VecDeque<Instant>,
}

impl WritingSlots {
    /// So many slots.
    pub(super) fn new(count: usize) -> Arc<Self> {
        Arc::new(Self { count, free: Arc::new(Semaphore::new(count)), quick_ends: Mutex::new(QuickEnds::new(count)) })
    }

    /// How many jobs to claim now, while `claimed` have not ended.
    pub(super) fn claimable(&self, claimed: usize) -> usize {
        let ahead = self.quick_ends.lock().unwrap_or_else(PoisonError::into_inner).count(Instant::now());
        claimable(self.count, ahead, claimed)
    }

    /// Waits for a slot, first come, first served.
    pub(super) async fn acquire(self: &Arc<Self>) -> Slot {
        // The semaphore is never closed.
        let permit = Arc::clone(&self.free).acquire_owned().await.ok();
        Slot { slots: Arc::clone(self), taken_at: Instant::now(), _permit: permit }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let now = Instant::now();
        let mut quick_ends = self.slots.quick_ends.lock().unwrap_or_else(PoisonError::into_inner);
        quick_ends.add(now.duration_since(self.taken_at), now);
    }
}

/// Jobs are claimed when half of what may be claimed has ended, because every claim is a commit, or at once when a slot has
/// nothing to do.
const fn claimable(slots: usize, ahead: usize, claimed: usize) -> usize {
    let most = slots + ahead;
    let free = most.saturating_sub(claimed);
    if claimed < slots || free * 2 >= most { free } else { 0 }
}

impl QuickEnds {
    fn new(slots: usize) -> Self {
        Self { most: slots.saturating_mul(MAX_AHEAD_PER_SLOT), ended_at: VecDeque::new() }
    }

    /// Adds an article that ended `now`, if it was quick.
    fn add(&mut self, took: Duration, now: Instant) {
        if took > QUICK {
            return;
        }
        if self.ended_at.len() >= self.most {
            self.ended_at.pop_front();
        }
        self.ended_at.push_back(now);
    }

    /// How many ended lately.
    fn count(&self, now: Instant) -> usize {
        self.ended_at.iter().filter(|ended_at| now.duration_since(**ended_at) < LATELY).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_much_is_claimed_ahead_as_quick_articles_ended_lately() {
        let (mut ends, begin) = (QuickEnds::new(2), Instant::now());
        assert_eq!(ends.count(begin), 0, "nothing is known yet");
        let quick = Duration::from_millis(200);
        ends.add(quick, begin);
        ends.add(quick, begin + quick);
        assert_eq!((ends.count(begin + quick), ends.count(begin + LATELY)), (2, 1));
        assert_eq!(ends.count(begin + quick + LATELY), 0, "nothing ends any more");
        let later = begin + Duration::from_secs(130);
        ends.add(Duration::from_secs(130), later);
        assert_eq!(ends.count(later), 0, "articles take long");
        for _ in 0..100 {
            ends.add(quick, later);
        }
        assert_eq!(ends.count(later), 14, "there is a bound");
    }

    #[test]
    fn a_free_slot_gets_a_job_at_once_and_others_are_claimed_by_the_half() {
        for (slots, ahead, claimed, expected) in
            [(2, 0, 0, 2), (4, 0, 3, 1), (2, 0, 2, 0), (2, 14, 8, 8), (2, 14, 9, 0), (2, 14, 1, 15), (1, 0, 5, 0)]
        {
            assert_eq!(claimable(slots, ahead, claimed), expected, "{slots} slots, {ahead} ahead, {claimed} claimed");
        }
    }
}
