//! What a check needs from whoever runs it: a way to the target.
//!
//! The one implementation lives in `runner::transport`.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures::future::BoxFuture;

use super::exchange::{Exchange, Request};

/// A target that did not give a usable HTTP answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransportFault {
    /// One clause without a full stop, such as `no answer within 15 s`.
    pub detail: String,
}

impl fmt::Display for TransportFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.detail)
    }
}

/// A way to the target.
pub trait Channel: Send + Sync + fmt::Debug {
    /// Sends one request once the target's quota has room for it, and reads the whole answer; `waits` learns how long that took.
    fn exchange<'a>(
        &'a self,
        request: Request,
        waits: &'a QuotaWaits,
    ) -> BoxFuture<'a, Result<Exchange, TransportFault>>;

    /// Writes `bytes` to a fresh connection and reads until the peer closes, stops or `enough` answers
    /// began.
    fn raw(&self, bytes: Vec<u8>, enough: usize) -> BoxFuture<'_, Result<Vec<u8>, TransportFault>>;
}

/// How long a case has waited for the target's quotas. That time is not the target's: limits on how long something may take leave
/// it out.
#[derive(Debug, Default)]
pub struct QuotaWaits {
    precedence: Precedence,
    state: Mutex<Waiting>,
}

/// Who goes first where a quota has not room for all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precedence {
    /// Whatever runs for the first time.
    #[default]
    Ordinary,
    /// A case that is repeated because it failed.
    Repeated,
}

#[derive(Debug, Default)]
struct Waiting {
    requests: u32,
    since: Option<Instant>,
    ended: Duration,
}

/// A request that waits.
#[derive(Debug)]
pub struct QuotaWait<'a>(&'a QuotaWaits);

impl QuotaWaits {
    /// Those of a case of this precedence.
    pub fn new(precedence: Precedence) -> Self {
        Self { precedence, state: Mutex::default() }
    }

    /// Who lets it go first.
    pub fn precedence(&self) -> Precedence {
        self.precedence
    }

    /// A request begins to wait, until the returned value is dropped.
    pub fn begin(&self) -> QuotaWait<'_> {
        let mut state = self.lock();
        state.requests += 1;
        state.since.get_or_insert_with(Instant::now);
        drop(state);
        QuotaWait(self)
    }

    /// The time in which any request waited, what still waits included.
    pub fn total(&self) -> Duration {
        let state = self.lock();
        state.ended + state.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for QuotaWait<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.requests -= 1;
        if state.requests == 0
            && let Some(since) = state.since.take()
        {
            state.ended += since.elapsed();
        }
    }
}
