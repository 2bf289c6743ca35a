//! A whole response that is a success, before it is known what it says.

use std::ops::RangeInclusive;

use bytes::Bytes;
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, HeaderValue};
use tracing::Span;

use crate::error::Error;
use crate::trace;

/// The call that a response belongs to, for the error of one that cannot be read.
#[derive(Clone, Copy)]
pub(crate) struct Origin {
    pub(crate) operation: &'static str,
    pub(crate) attempts: u32,
}

/// What has arrived.
pub(crate) struct WholeResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) origin: Origin,
    /// The idempotency key that the call was sent with.
    pub(crate) key: Option<HeaderValue>,
    /// The span of the call, which is told of a response that cannot be read.
    pub(crate) span: Span,
}

impl WholeResponse {
    /// The same, if the operation knows a success of its status.
    pub(crate) fn expecting(self, statuses: RangeInclusive<u16>) -> Result<Self, Error> {
        if statuses.contains(&self.status.as_u16()) {
            return Ok(self);
        }
        let error = Error::unknown_success(self.status, self.headers).of(self.origin).sent_with(self.key);
        trace::unreadable(&self.span, self.origin, error.kind());
        Err(error)
    }
}
