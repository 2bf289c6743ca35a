//! Counts requests in fixed windows. Who is counted, and how that is reported, is decided in `quota`.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher as _, Hash, RandomState};
use std::sync::{Mutex, PoisonError};

use crate::domain::clock::Timestamp;
use crate::domain::key::Quota;

const SHARDS: usize = 16;
/// From this many windows in a shard, ended ones are dropped before another is added.
const SWEEP_THRESHOLD: usize = 1024;

/// Windows by who is counted.
pub(super) struct RequestCounter<K> {
    shards: [Mutex<HashMap<K, Window>>; SHARDS],
    hasher: RandomState,
}

struct Window {
    ends_at: Timestamp,
    used: u32,
}

/// The result of counting one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) is_within: bool,
    pub(super) remaining: u32,
    /// Whole seconds until the window ends, at least 1.
    pub(super) resets_in: u32,
}

impl<K> RequestCounter<K> {
    pub(super) fn new() -> Self {
        Self { shards: std::array::from_fn(|_| Mutex::default()), hasher: RandomState::new() }
    }
}

impl<K: Eq + Hash> RequestCounter<K> {
    /// Counts one request of `who`. A refused one is not counted, so that a client which keeps asking gets in on time.
    pub(super) fn count<Q>(&self, who: &Q, quota: Quota, now: Timestamp) -> Count
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ToOwned<Owned = K> + ?Sized,
    {
        let shard = usize::try_from(self.hasher.hash_one(who)).unwrap_or_default() % SHARDS;
        let mut windows = self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
        let length = i64::from(quota.window_seconds) * 1000;
        // A window that ends later than a whole one from now belongs to a clock that was set back.
        let is_current = |window: &Window| now < window.ends_at && window.ends_at <= now.plus_millis(length);
        if !windows.get(who).is_some_and(is_current) {
            if windows.len() >= SWEEP_THRESHOLD {
                windows.retain(|_, window| now < window.ends_at);
            }
            windows.insert(who.to_owned(), Window { ends_at: now.plus_millis(length), used: 0 });
        }
        let window = windows.get_mut(who).expect("it was there or was just inserted");
        let is_within = window.used < quota.requests;
        window.used += u32::from(is_within);
        let left = (window.ends_at.millis() - now.millis() + 999) / 1000;
        Count {
            is_within,
            remaining: quota.requests.saturating_sub(window.used),
            resets_in: u32::try_from(left).unwrap_or(1).max(1),
        }
    }
}

impl<K> fmt::Debug for RequestCounter<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RequestCounter").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUOTA: Quota = Quota { requests: 2, window_seconds: 10 };

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(seconds * 1000 + 500)
    }

    #[test]
    fn a_window_admits_its_quota_and_then_nothing_until_it_ends() {
        let counter = RequestCounter::<String>::new();
        let seen: Vec<_> = [0, 1, 2, 9, 10].map(|second| counter.count("a", QUOTA, at(second))).into();
        assert_eq!(seen.iter().map(|count| count.is_within).collect::<Vec<_>>(), [true, true, false, false, true]);
        assert_eq!(seen.iter().map(|count| count.remaining).collect::<Vec<_>>(), [1, 0, 0, 0, 1]);
        assert_eq!(seen.iter().map(|count| count.resets_in).collect::<Vec<_>>(), [10, 9, 8, 1, 10]);
    }

    #[test]
    fn callers_do_not_use_up_each_others_quota_and_a_clock_set_back_locks_no_one_out() {
        let counter = RequestCounter::<String>::new();
        for _ in 0..3 {
            counter.count("a", QUOTA, at(100_000));
        }
        assert!(counter.count("b", QUOTA, at(100_000)).is_within);
        assert!(counter.count("a", QUOTA, at(0)).is_within);
    }
}
