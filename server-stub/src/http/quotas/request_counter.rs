//! Windows of all callers, in the memory of this process. `leases` decides when to ask the database. `charge` decides which
//! caller is counted and reports the result.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::window::{Count, Turn, Window};
use crate::domain::clock::Timestamp;
use crate::domain::key::Quota;
use crate::domain::store::{HeldQuotaLease, QuotaLease, QuotaSubject};

const SHARDS: usize = 16;
/// Maximum number of windows in a shard. It limits the memory of all shards to 15 MiB.
const MAX_WINDOWS: usize = 4096;
/// Number of ended windows that are dropped for each new one. More than one is needed to reduce their number.
const DROPPED_PER_NEW_WINDOW: usize = 2;

/// Windows of all callers.
pub(super) struct RequestCounter {
    shards: [Mutex<Shard>; SHARDS],
    hasher: RandomState,
}

struct Shard {
    windows: HashMap<QuotaSubject, Window>,
    /// The same windows ordered by their end, so that the ones to drop come first.
    ends: BTreeSet<(Timestamp, QuotaSubject)>,
    /// The latest time of any request. Callers read the clock before they take the lock, so requests arrive out of order.
    seen_until: Timestamp,
}

/// The known state cannot decide about a request: the caller must ask the database.
#[derive(Debug)]
pub(super) struct Undecided {
    /// Rest of this process's lease.
    pub(super) held: HeldQuotaLease,
    pub(super) turn: Turn,
}

impl RequestCounter {
    pub(super) fn new() -> Self {
        Self { shards: std::array::from_fn(|_| Mutex::default()), hasher: RandomState::new() }
    }

    /// Counts one request of `who` in a window that this process counts alone.
    pub(super) fn count_alone(&self, who: &QuotaSubject, quota: Quota, now: Timestamp) -> Count {
        let (mut shard, now) = self.shard(who, now);
        let window = shard.current(who, quota, now);
        window.hold_all();
        window.count(quota, now)
    }

    /// Counts one request of `who` in a shared window, if the known state can decide about it.
    pub(super) fn count_known(&self, who: &QuotaSubject, quota: Quota, now: Timestamp) -> Result<Count, Undecided> {
        let (mut shard, now) = self.shard(who, now);
        let window = shard.current(who, quota, now);
        if window.is_decided(quota, now) {
            Ok(window.count(quota, now))
        } else {
            Err(Undecided { held: window.held(), turn: window.turn() })
        }
    }

    /// Counts one request of `who` with a lease that was requested and granted at these times.
    pub(super) fn count_leased(
        &self,
        who: &QuotaSubject,
        quota: Quota,
        lease: &QuotaLease,
        (asked_at, answered_at): (Timestamp, Timestamp),
    ) -> Count {
        let (mut shard, now) = self.shard(who, answered_at);
        let window = Window::leased(lease, shard.windows.get(who), (asked_at, answered_at));
        shard.put(who, window, now).count(quota, now)
    }

    /// Returns the shard of `who` and its time: `now`, or the time of an earlier request if that is later.
    fn shard(&self, who: &QuotaSubject, now: Timestamp) -> (MutexGuard<'_, Shard>, Timestamp) {
        let shard = usize::try_from(self.hasher.hash_one(who)).unwrap_or_default() % SHARDS;
        let mut shard = self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
        shard.seen_until = shard.seen_until.max(now);
        let now = shard.seen_until;
        (shard, now)
    }
}

impl Shard {
    /// Returns the current window of `who`. Creates it if needed.
    fn current(&mut self, who: &QuotaSubject, quota: Quota, now: Timestamp) -> &mut Window {
        if self.windows.get(who).is_some_and(|window| window.is_current(quota, now)) {
            return self.windows.get_mut(who).expect("it was found just now");
        }
        self.put(who, Window::beginning(quota, now), now)
    }

    /// Replaces the window of `who`. A full shard drops the window that ends first, and its caller starts a new one. If the
    /// shard refused new callers instead, an attacker who fills it could lock out all others.
    fn put(&mut self, who: &QuotaSubject, mut window: Window, now: Timestamp) -> &mut Window {
        if let Some(former) = self.windows.remove(who) {
            self.ends.remove(&(former.ends_at(), who.clone()));
            window = window.replacing(former);
        }
        for _ in 0..DROPPED_PER_NEW_WINDOW {
            let is_full = self.windows.len() >= MAX_WINDOWS;
            if !self.ends.first().is_some_and(|(ends_at, _)| is_full || *ends_at <= now) {
                break;
            }
            if let Some((_, who)) = self.ends.pop_first() {
                self.windows.remove(&who);
            }
        }
        self.ends.insert((window.ends_at(), who.clone()));
        self.windows.entry(who.clone()).insert_entry(window).into_mut()
    }
}

impl Default for Shard {
    fn default() -> Self {
        Self { windows: HashMap::new(), ends: BTreeSet::new(), seen_until: Timestamp::from_millis(i64::MIN) }
    }
}

impl fmt::Debug for RequestCounter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RequestCounter").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    const QUOTA: Quota = Quota { requests: 2, window_seconds: 10 };
    const MAX_CALLERS: usize = SHARDS * MAX_WINDOWS;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(seconds * 1000 + 500)
    }

    fn key(id: &str) -> QuotaSubject {
        QuotaSubject::Key(id.to_string())
    }

    fn windows(counter: &RequestCounter) -> usize {
        counter
            .shards
            .iter()
            .map(|shard| {
                let shard = shard.lock().unwrap();
                assert_eq!(shard.windows.len(), shard.ends.len());
                shard.windows.len()
            })
            .sum()
    }

    #[test]
    fn a_window_admits_its_quota_and_then_nothing_until_it_ends() {
        let counter = RequestCounter::new();
        let seen: Vec<_> = [0, 1, 2, 9, 10].map(|second| counter.count_alone(&key("a"), QUOTA, at(second))).into();
        assert_eq!(seen.iter().map(|count| count.is_within).collect::<Vec<_>>(), [true, true, false, false, true]);
        assert_eq!(seen.iter().map(|count| count.remaining).collect::<Vec<_>>(), [1, 0, 0, 0, 1]);
        assert_eq!(seen.iter().map(|count| count.resets_in).collect::<Vec<_>>(), [10, 9, 8, 1, 10]);
    }

    #[test]
    fn callers_do_not_use_up_each_others_quota() {
        let counter = RequestCounter::new();
        for _ in 0..3 {
            counter.count_alone(&key("a"), QUOTA, at(0));
        }
        assert!(counter.count_alone(&key("b"), QUOTA, at(0)).is_within);
    }

    /// One thread stops after reading the clock. Meanwhile another thread begins the window.
    #[test]
    fn a_request_that_read_the_clock_before_the_window_began_is_counted_in_it() {
        let counter = RequestCounter::new();
        let seen = [1, 0, 0].map(|second| counter.count_alone(&key("a"), QUOTA, at(second)));
        assert_eq!(seen.map(|count| count.is_within), [true, true, false]);
        assert_eq!(seen.map(|count| count.resets_in), [10, 10, 10]);
    }

    #[test]
    fn a_lease_outlasts_a_request_that_read_the_clock_before_it() {
        let counter = RequestCounter::new();
        let lease = QuotaLease { window: 1, granted: 2, leased: 2, ends_in: Duration::from_secs(10) };
        assert!(counter.count_leased(&key("a"), QUOTA, &lease, (at(1), at(1))).is_within);
        let count = counter.count_known(&key("a"), QUOTA, at(0)).expect("one leased request is left");
        assert_eq!((count.is_within, count.remaining, count.resets_in), (true, 0, 10));
    }

    #[test]
    fn a_flood_of_callers_fills_no_memory_and_is_counted_all_the_same() {
        let counter = RequestCounter::new();
        for caller in 0..2 * MAX_CALLERS {
            let counts = [0; 3].map(|_| counter.count_alone(&key(&caller.to_string()), QUOTA, at(0)).is_within);
            assert_eq!(counts, [true, true, false], "caller {caller}");
        }
        assert!(windows(&counter) <= MAX_CALLERS, "{}", windows(&counter));
    }

    #[test]
    fn windows_that_have_ended_give_way_to_as_many_new_ones() {
        let counter = RequestCounter::new();
        for caller in 0..10_000 {
            counter.count_alone(&key(&format!("early {caller}")), QUOTA, at(0));
        }
        for caller in 0..10_000 {
            counter.count_alone(&key(&format!("late {caller}")), QUOTA, at(10));
        }
        // The shards got different numbers of each.
        assert!((10_000..11_000).contains(&windows(&counter)), "{}", windows(&counter));
    }

    proptest! {
        #[test]
        fn each_caller_is_counted_by_its_own_window(
            requests in prop::collection::vec((0..5_usize, 1..4_u32, 0..7_i64), 1..200),
        ) {
            let counter = RequestCounter::new();
            // The end of each caller's window in milliseconds, and the requests used in it.
            let mut model = [(0_i64, 0_u32); 5];
            let mut second = 0;
            for (caller, thirds, pause) in requests {
                second += pause;
                let quota = Quota { window_seconds: 3 * thirds, ..QUOTA };
                let counted = counter.count_alone(&key(&caller.to_string()), quota, at(second));
                let (now, length) = (at(second).millis(), i64::from(quota.window_seconds) * 1000);
                let (ends_at, used) = &mut model[caller];
                if now >= *ends_at || *ends_at > now + length {
                    (*ends_at, *used) = (now + length, 0);
                }
                prop_assert_eq!(counted.is_within, *used < quota.requests);
                *used += u32::from(counted.is_within);
                prop_assert_eq!(counted.remaining, quota.requests - *used);
                prop_assert_eq!(i64::from(counted.resets_in), (*ends_at - now) / 1000);
            }
        }
    }
}
