//! What a check needs from whoever runs it: a way to the target.
//!
//! The one implementation lives in `runner::transport`.

use std::fmt;
use std::time::Duration;

use futures::future::BoxFuture;

use super::exchange::{Exchange, Request};
use super::stopwatch::{Running, Stopwatch};

/// A target that did not give a usable HTTP answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransportFault {
    /// One clause without a full stop, such as `no answer within 15 s`.
    pub detail: String,
}

impl TransportFault {
    /// One that `detail` tells, a clause without a full stop.
    pub fn new(detail: impl Into<String>) -> Self {
        Self { detail: detail.into() }
    }
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

    /// Writes `bytes` to a fresh connection and reads until the peer closes or stops, which is waited for a shorter time once `enough`
    /// answers began.
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
    pub fn for_quotas(&self) -> [Running; 2] {
        [self.for_anything.start(), self.for_quotas.start()]
    }

    /// A request waits for its turn at the configured rate until the returned value is dropped.
    pub fn for_rate(&self) -> Running {
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
