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
    /// Sends one request once the target's quotas have room for it, and reads the whole answer; `waits` measures how long it was not
    /// sent.
    fn exchange<'a>(&'a self, request: Request, waits: &'a Waits) -> BoxFuture<'a, Result<Exchange, TransportFault>>;

    /// Writes `bytes` to a fresh connection and reads until the peer closes, stops or `enough` answers
    /// began.
    fn raw(&self, bytes: Vec<u8>, enough: usize) -> BoxFuture<'_, Result<Vec<u8>, TransportFault>>;
}

/// How long a case has waited before it sent requests, for the target's quotas or the rate that it may be asked at. That time is not
/// the target's: limits on how long something may take leave it out.
#[derive(Debug, Default)]
pub struct Waits {
    precedence: Precedence,
    for_anything: Stopwatch,
    for_quotas: Stopwatch,
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

impl Waits {
    /// Those of a case of this precedence.
    pub fn new(precedence: Precedence) -> Self {
        Self { precedence, ..Self::default() }
    }

    /// Whether the case's requests go before others that wait for the same quota.
    pub fn precedence(&self) -> Precedence {
        self.precedence
    }

    /// A request waits for quotas until the returned value is dropped.
    pub fn for_quotas(&self) -> (Wait<'_>, Wait<'_>) {
        (self.for_anything.start(), self.for_quotas.start())
    }

    /// A request waits for its turn at the configured rate until the returned value is dropped.
    pub fn for_rate(&self) -> Wait<'_> {
        self.for_anything.start()
    }

    /// The time in which any request waited, what still waits included.
    pub fn total(&self) -> Duration {
        self.for_anything.total()
    }

    /// The part of it in which one waited for quotas, whose room what the case looks at may not have waited for.
    pub fn total_for_quotas(&self) -> Duration {
        self.for_quotas.total()
    }
}

/// The time in which at least one request waits.
#[derive(Debug, Default)]
struct Stopwatch(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    requests: u32,
    since: Option<Instant>,
    ended: Duration,
}

/// A request that waits.
#[derive(Debug)]
pub struct Wait<'a>(&'a Stopwatch);

impl Stopwatch {
    fn start(&self) -> Wait<'_> {
        let mut waiting = self.lock();
        waiting.requests += 1;
        waiting.since.get_or_insert_with(Instant::now);
        drop(waiting);
        Wait(self)
    }

    fn total(&self) -> Duration {
        let waiting = self.lock();
        waiting.ended + waiting.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        let mut waiting = self.0.lock();
        waiting.requests -= 1;
        if waiting.requests == 0
            && let Some(since) = waiting.since.take()
        {
            waiting.ended += since.elapsed();
        }
    }
}
