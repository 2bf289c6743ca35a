//! A replay guard in memory, for the lifetime of the process.

use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::future::{Future, ready};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use super::replay::{Claim, ClaimToken, ReplayGuard};
use crate::{platform, trace};

/// A [`ReplayGuard`] that forgets when the process ends.
///
/// ```
/// # futures_executor(async {
/// use contentgen_sdk::webhook::{Claim, MemoryReplayGuard, ReplayGuard as _};
///
/// let seen = MemoryReplayGuard::new();
/// let Claim::New(token) = seen.claim("evt_1").await? else { panic!("the event is not new") };
/// assert_eq!(seen.claim("evt_1").await, Ok(Claim::InProgress));
/// seen.complete("evt_1", token).await?;
/// assert_eq!(seen.claim("evt_1").await, Ok(Claim::Done));
/// # Ok::<_, std::convert::Infallible>(())
/// # });
/// # fn futures_executor(future: impl std::future::Future<Output = Result<(), std::convert::Infallible>>) {
/// #     let mut context = std::task::Context::from_waker(std::task::Waker::noop());
/// #     assert!(std::pin::pin!(future).poll(&mut context).is_ready());
/// # }
/// ```
#[derive(Debug)]
pub struct MemoryReplayGuard {
    most: usize,
    kept_for: Duration,
    claim_timeout: Duration,
    memory: Mutex<Memory>,
}

/// Known events, and the order in which they are forgotten. Each claim has a number, which is its token. An id that was released and
/// claimed again is in the order twice. Its number identifies the current entry.
#[derive(Debug, Default)]
struct Memory {
    number: u64,
    /// Number of events that were forgotten before their time, because the memory was full.
    forgotten: usize,
    known: HashMap<Arc<str>, Known>,
    order: VecDeque<(u64, Arc<str>)>,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    number: u64,
    since: SystemTime,
    is_done: bool,
}

impl MemoryReplayGuard {
    /// Keeps up to 100,000 ids for 30 days, because an operator may configure retries for up to 25 days. Claims last for a minute.
    pub fn new() -> Self {
        Self::with_limits(100_000, Duration::from_secs(30 * 24 * 60 * 60))
    }

    /// Keeps up to `most` ids, at least one, for `kept_for`. Beyond that it forgets the oldest first, and says so with a warning of
    /// `tracing`: a retry of a forgotten event would be handled again.
    pub fn with_limits(most: usize, kept_for: Duration) -> Self {
        Self { most: most.max(1), kept_for, claim_timeout: Duration::from_secs(60), memory: Mutex::default() }
    }

    /// Sets how long a claim lasts that is neither completed nor released. Handling an event must not take longer, or the event may be
    /// handled twice at once.
    #[must_use]
    pub fn claim_timeout(mut self, time: Duration) -> Self {
        self.claim_timeout = time;
        self
    }

    /// Claims an event at a given time.
    pub fn claim_at(&self, id: &str, now: SystemTime) -> Claim {
        let mut memory = self.lock();
        let is_older = |since: SystemTime, time| now.duration_since(since).is_ok_and(|age| age > time);
        memory.forget(|known| is_older(known.since, self.kept_for));
        match memory.known.get(id) {
            Some(known) if known.is_done => return Claim::Done,
            Some(known) if !is_older(known.since, self.claim_timeout) => return Claim::InProgress,
            _ => {}
        }
        Claim::New(memory.remember(id, now, self.most))
    }

    /// Locks the memory. A panic elsewhere leaves it usable.
    fn lock(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Memory {
    /// Stores a new claim of an event, and forgets the oldest event if the memory is full.
    fn remember(&mut self, id: &str, now: SystemTime, most: usize) -> ClaimToken {
        self.known.remove(id);
        while self.known.len() >= most {
            if self.forget_oldest() {
                // Once for each time that the whole memory was replaced.
                if self.forgotten.is_multiple_of(most) {
                    trace::forgets_early(most);
                }
                self.forgotten += 1;
            }
        }
        // Released events leave stale entries in the order.
        if self.order.len() > most.saturating_mul(2) {
            let known = &self.known;
            self.order.retain(|(number, id)| known.get(id).is_some_and(|known| known.number == *number));
        }
        let id: Arc<str> = id.into();
        self.number += 1;
        self.known.insert(Arc::clone(&id), Known { number: self.number, since: now, is_done: false });
        self.order.push_back((self.number, id));
        ClaimToken::from_bits(self.number.into())
    }

    /// Forgets expired events at the front.
    fn forget(&mut self, is_over: impl Fn(Known) -> bool) {
        while let Some((number, id)) = self.order.front() {
            match self.known.get(id) {
                Some(known) if known.number == *number && !is_over(*known) => return,
                _ => _ = self.forget_oldest(),
            }
        }
    }

    /// Removes the oldest entry. Returns true if an event was forgotten by that.
    fn forget_oldest(&mut self) -> bool {
        let Some((number, id)) = self.order.pop_front() else { return false };
        let is_current = self.known.get(&id).is_some_and(|known| known.number == number);
        if is_current {
            self.known.remove(&id);
        }
        is_current
    }
}

impl Default for MemoryReplayGuard {
    fn default() -> Self {
        Self::new()
    }
}

impl ReplayGuard for MemoryReplayGuard {
    type Error = Infallible;

    fn claim(&self, id: &str) -> impl Future<Output = Result<Claim, Infallible>> + Send {
        ready(Ok(self.claim_at(id, platform::now())))
    }

    /// Accepts any token: an event that was handled after its claim had expired is still done.
    fn complete(&self, id: &str, _token: ClaimToken) -> impl Future<Output = Result<(), Infallible>> + Send {
        let mut memory = self.lock();
        if !memory.known.contains_key(id) {
            // The event was forgotten because the memory was full.
            memory.remember(id, platform::now(), self.most);
        }
        if let Some(known) = memory.known.get_mut(id) {
            known.is_done = true;
        }
        drop(memory);
        ready(Ok(()))
    }

    fn release(&self, id: &str, token: ClaimToken) -> impl Future<Output = Result<(), Infallible>> + Send {
        let mut memory = self.lock();
        // Another caller may have claimed or handled the event after this claim had expired.
        if memory.known.get(id).is_some_and(|known| !known.is_done && token.to_bits() == known.number.into()) {
            memory.known.remove(id);
        }
        drop(memory);
        ready(Ok(()))
    }
}
