//! The interface through which a check reaches the target.
//!
//! The only implementation is in `runner::transport`.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::time::Instant;

use super::exchange::{Exchange, Request};

/// The reason why the target gave no usable HTTP response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransportFault {
    /// One clause without a full stop, such as `no complete response within 15 s`.
    pub detail: String,
    /// True if the time-out ended the request.
    pub is_timeout: bool,
    /// True if the suite closed the connection, as the request says.
    pub is_closed: bool,
}

impl TransportFault {
    /// Returns a fault described by `detail`, a clause without a full stop.
    pub fn new(detail: impl Into<String>) -> Self {
        Self { detail: detail.into(), is_timeout: false, is_closed: false }
    }

    /// Returns the fault of a request without a complete response within `limit`.
    pub fn timed_out(limit: Duration) -> Self {
        Self { is_timeout: true, ..Self::new(format!("no complete response within {} s", limit.as_secs())) }
    }

    /// Returns the fault of a request whose connection the suite closed.
    pub fn closed() -> Self {
        Self { is_closed: true, ..Self::new("the suite closed the connection") }
    }
}

impl fmt::Display for TransportFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.detail)
    }
}

/// A way to the target.
pub trait Channel: Send + Sync + fmt::Debug {
    /// Sends one request once the target's quotas have room for it, and reads the whole response. `waits` measures how
    /// long the request had to wait.
    fn exchange<'a>(&'a self, request: Request, waits: &'a Waits) -> BoxFuture<'a, Result<Exchange, TransportFault>>;

    /// Writes `bytes` to a fresh connection and reads until the peer closes it or stops sending. Waits less long for
    /// the peer once `enough` responses have begun, and at most for `limit`; without it for the time limit of a response.
    fn raw(
        &self,
        bytes: Vec<u8>,
        enough: usize,
        limit: Option<Duration>,
    ) -> BoxFuture<'_, Result<Vec<u8>, TransportFault>>;
}

/// Time that a case has waited before it sent requests, for the target's quotas or the configured rate. Limits on how
/// long the target may take exclude this time.
#[derive(Debug, Default)]
pub struct Waits {
    precedence: Precedence,
    for_anything: Stopwatch,
    for_quotas: Stopwatch,
}

/// Priority of a request if a quota has no room for all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precedence {
    /// A case that runs for the first time.
    #[default]
    Ordinary,
    /// A case that is repeated because it failed.
    Repeated,
}

impl Waits {
    /// Returns no waits yet, for a case of this precedence.
    pub fn new(precedence: Precedence) -> Self {
        Self { precedence, ..Self::default() }
    }

    /// Returns the precedence of the case's requests over others that wait for the same quota.
    pub fn precedence(&self) -> Precedence {
        self.precedence
    }

    /// Marks a request as waiting for quotas until the returned value is dropped.
    pub fn for_quotas(&self) -> [Running; 2] {
        [self.for_anything.start(), self.for_quotas.start()]
    }

    /// Marks a request as waiting for its turn at the configured rate until the returned value is dropped.
    pub fn for_rate(&self) -> Running {
        self.for_anything.start()
    }

    /// Returns the time in which any request waited, including requests that still wait.
    pub fn total(&self) -> Duration {
        self.for_anything.total()
    }

    /// Returns the part of that time in which a request waited for quotas.
    pub fn total_for_quotas(&self) -> Duration {
        self.for_quotas.total()
    }
}

/// Measures the total time in which at least one of several activities runs.
#[derive(Debug, Default)]
pub(crate) struct Stopwatch(Arc<Mutex<State>>);

/// An activity that runs until this is dropped.
#[derive(Debug)]
pub struct Running(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    going_on: u32,
    since: Option<Instant>,
    ended: Duration,
}

impl Stopwatch {
    /// Starts an activity.
    pub(crate) fn start(&self) -> Running {
        let mut state = lock(&self.0);
        state.going_on += 1;
        state.since.get_or_insert_with(Instant::now);
        drop(state);
        Running(Arc::clone(&self.0))
    }

    /// Returns the total time until now.
    pub(crate) fn total(&self) -> Duration {
        let state = lock(&self.0);
        state.ended + state.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut state = lock(&self.0);
        state.going_on -= 1;
        if state.going_on == 0
            && let Some(since) = state.since.take()
        {
            state.ended += since.elapsed();
        }
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
