//! A complete successful response, not yet decoded.

use bytes::Bytes;
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, HeaderValue};
use tracing::Span;

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
