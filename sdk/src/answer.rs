//! A whole answer that is a success, before it is known what it says.

use bytes::Bytes;
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, HeaderValue};
use tracing::Span;

use crate::error::Error;
use crate::trace;

/// The call that an answer belongs to, for the error of one that cannot be read.
#[derive(Clone, Copy)]
pub(crate) struct Origin {
    pub(crate) operation: &'static str,
    pub(crate) attempts: u32,
}

/// What has arrived.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) origin: Origin,
    /// The idempotency key that the call was sent with.
    pub(crate) key: Option<HeaderValue>,
    /// The span of the call, which is told of an answer that cannot be read.
    pub(crate) span: Span,
}

impl Answer {
    /// By this generated code tells successes from one another.
    pub(crate) const fn status(&self) -> StatusCode {
        self.status
    }

    /// The error of an answer that the operation does not know, although it is a success.
    pub(crate) fn unexpected(self) -> Error {
        let error = Error::unknown_success(self.status, self.headers).of(self.origin).sent_with(self.key);
        trace::unreadable(&self.span, self.origin, error.kind());
        error
    }
}
