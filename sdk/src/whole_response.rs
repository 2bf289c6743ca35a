//! A complete successful response, not yet decoded.

use std::ops::RangeInclusive;

use bytes::Bytes;
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, HeaderValue};
use tracing::Span;

use crate::error::Error;
use crate::trace;

/// The call of a response, for the error of a response that cannot be read.
#[derive(Clone, Copy)]
pub(crate) struct Origin {
    pub(crate) operation: &'static str,
    pub(crate) attempts: u32,
}

/// A complete response.
pub(crate) struct WholeResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) origin: Origin,
    /// The idempotency key that the call was sent with.
    pub(crate) key: Option<HeaderValue>,
    /// Span of the call, for log messages about an undecodable response.
    pub(crate) span: Span,
}

impl WholeResponse {
    /// Returns the response if the operation defines its status.
    pub(crate) fn expecting(self, statuses: RangeInclusive<u16>) -> Result<Self, Error> {
        if statuses.contains(&self.status.as_u16()) {
            return Ok(self);
        }
        let error = Error::unknown_success(self.status, self.headers).of(self.origin).sent_with(self.key);
        trace::unreadable(&self.span, self.origin, error.kind());
        Err(error)
    }
}
