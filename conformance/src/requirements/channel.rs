//! What a check needs from whoever runs it: a way to the target.
//!
//! The one implementation lives in `runner::transport`.

use std::fmt;

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
    /// Sends one request and reads the whole answer.
    fn exchange(&self, request: Request) -> BoxFuture<'_, Result<Exchange, TransportFault>>;

    /// Writes `bytes` to a fresh connection and reads until the peer closes, stops or `enough` answers
    /// began.
    fn raw(&self, bytes: Vec<u8>, enough: usize) -> BoxFuture<'_, Result<Vec<u8>, TransportFault>>;
}
