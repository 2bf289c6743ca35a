//! Slots for writing articles, and the number of jobs to claim for them. Other workers cannot run a claimed job. So a worker claims
//! only as many jobs as will begin soon, estimated from the last articles.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

/// Period for the estimate: the number of quick articles that ended within it is the number of jobs to claim ahead.
const LATELY: Duration = Duration::from_secs(1);
/// Maximum duration of a quick article. Slower articles do not show that the next ones begin soon.
const QUICK: Duration = LATELY;
/// Maximum number of jobs claimed ahead for each slot. With so many, writing does not wait for the database.
const MAX_AHEAD_PER_SLOT: usize = 7;

/// Slots, one for each article that may be written at the same time.
#[derive(Debug)]
pub(super) struct WritingSlots {
    count: usize,
    free: Arc<Semaphore>,
    quick_ends: Mutex<QuickEnds>,
}

/// Slot for one article. Dropping it frees the slot.
#[derive(Debug)]
pub(super) struct Slot {
    slots: Arc<WritingSlots>,
    taken_at: Instant,
    _permit: Option<OwnedSemaphorePermit>,
}

/// End times of quick articles, oldest first, up to the number of jobs that may be claimed ahead.
#[derive(Debug)]
struct QuickEnds {
    most: usize,
    ended_at: VecDeque<Instant>,
}

impl WritingSlots {
    /// Creates this many slots.
    pub(super) fn new(count: usize) -> Arc<Self> {
        Arc::new(Self { count, free: Arc::new(Semaphore::new(count)), quick_ends: Mutex::new(QuickEnds::new(count)) })
    }

    /// Returns how many jobs to claim now, while `claimed` jobs are unfinished.
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

/// Returns the number of jobs to claim. Claims when half of the maximum has ended, because every claim is a commit, or at once if a
/// slot is idle.
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

    /// Returns how many quick articles ended lately.
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
