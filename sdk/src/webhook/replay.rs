//! Handling each event once, however often it is sent.

use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::future::{Future, ready};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use crate::clock;

/// Remembers which events were handled.
///
/// A sender repeats a hook until it is answered with a success: for 76 hours in this API, and by hand for two weeks. So
/// an implementation keeps ids for days, and best in the same database and transaction as what was done about them.
/// [`MemoryReplayGuard`] is one for programs that can afford to forget when they end.
pub trait ReplayGuard: Send + Sync {
    /// Why the memory could not be asked.
    type Error;

    /// Takes an event to be handled. False when it was taken before: answer such a hook with a success and do nothing.
    fn claim(&self, id: &str) -> impl Future<Output = Result<bool, Self::Error>> + Send;

    /// Gives an event back that could not be handled, so that it is handled when it is sent again.
    fn release(&self, id: &str) -> impl Future<Output = Result<(), Self::Error>> + Send;
}

/// A [`ReplayGuard`] that forgets when the process ends.
///
/// ```
/// # futures_executor(async {
/// use contentgen_sdk::webhook::{MemoryReplayGuard, ReplayGuard as _};
///
/// let seen = MemoryReplayGuard::new();
/// assert_eq!(seen.claim("evt_1").await, Ok(true));
/// assert_eq!(seen.claim("evt_1").await, Ok(false));
/// # });
/// # fn futures_executor(future: impl std::future::Future<Output = ()>) {
/// #     let mut context = std::task::Context::from_waker(std::task::Waker::noop());
/// #     assert!(std::pin::pin!(future).poll(&mut context).is_ready());
/// # }
/// ```
#[derive(Debug)]
pub struct MemoryReplayGuard {
    most: usize,
    kept_for: Duration,
    claims: Mutex<Claims>,
}

/// The ids in force, and the order in which they end. An id that was released and taken again stands in the order twice;
/// its number tells which one counts.
#[derive(Debug, Default)]
struct Claims {
    number: u64,
    in_force: HashMap<Arc<str>, u64>,
    order: VecDeque<(u64, SystemTime, Arc<str>)>,
}

impl MemoryReplayGuard {
    /// Keeps up to 100,000 ids for five days: longer than the sender goes on by itself.
    pub fn new() -> Self {
        Self::with_limits(100_000, Duration::from_hours(5 * 24))
    }

    /// Keeps up to `most` ids, at least one, for as long as `kept_for`. Beyond that the oldest is forgotten first.
    pub fn with_limits(most: usize, kept_for: Duration) -> Self {
        Self { most: most.max(1), kept_for, claims: Mutex::default() }
    }

    /// Takes an event at a given time; false when it was taken before.
    pub fn claim_at(&self, id: &str, now: SystemTime) -> bool {
        let mut claims = self.lock();
        claims.forget(|claimed_at| now.duration_since(claimed_at).is_ok_and(|age| age > self.kept_for));
        if claims.in_force.contains_key(id) {
            return false;
        }
        while claims.order.len() >= self.most {
            claims.forget_oldest();
        }
        claims.take(id, now);
        true
    }

    /// The claims; a panic elsewhere leaves them usable.
    fn lock(&self) -> MutexGuard<'_, Claims> {
        self.claims.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Claims {
    fn take(&mut self, id: &str, now: SystemTime) {
        let id: Arc<str> = id.into();
        self.number += 1;
        self.in_force.insert(Arc::clone(&id), self.number);
        self.order.push_back((self.number, now, id));
    }

    fn forget(&mut self, is_over: impl Fn(SystemTime) -> bool) {
        while self.order.front().is_some_and(|(_, claimed_at, _)| is_over(*claimed_at)) {
            self.forget_oldest();
        }
    }

    fn forget_oldest(&mut self) {
        if let Some((number, _, id)) = self.order.pop_front()
            && self.in_force.get(&id) == Some(&number)
        {
            self.in_force.remove(&id);
        }
    }
}

impl Default for MemoryReplayGuard {
    fn default() -> Self {
        Self::new()
    }
}

impl ReplayGuard for MemoryReplayGuard {
    type Error = Infallible;

    fn claim(&self, id: &str) -> impl Future<Output = Result<bool, Infallible>> + Send {
        ready(Ok(self.claim_at(id, clock::now())))
    }

    fn release(&self, id: &str) -> impl Future<Output = Result<(), Infallible>> + Send {
        self.lock().in_force.remove(id);
        ready(Ok(()))
    }
}
