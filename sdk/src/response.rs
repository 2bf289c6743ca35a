//! A successful response: as received, and as read with its value, headers and bytes.

use std::fmt;
use std::ops::{Deref, RangeInclusive};

use bytes::Bytes;
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, HeaderValue};
use serde::de::DeserializeOwned;
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

/// A response that was read as a `T`. It dereferences to the value.
///
/// ```no_run
/// # async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
/// let job = client.get_job("job_1").send().await?;
/// println!("{} (request {:?})", job.status, job.request_id());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Response<T> {
    value: T,
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl<T> Response<T> {
    /// Returns the value alone.
    pub fn into_inner(self) -> T {
        self.value
    }

    /// HTTP status of the response. A `status` of the value itself, such as that of a job, is a field of the value.
    pub fn http_status(&self) -> StatusCode {
        self.status
    }

    /// The headers of the response.
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// Id by which the server's operators find the request.
    pub fn request_id(&self) -> Option<&str> {
        self.header("x-request-id")
    }

    /// Validator of this state of the resource, for a later `If-None-Match`. A gateway that compresses responses may weaken, change or
    /// remove it.
    pub fn etag(&self) -> Option<&str> {
        self.header("etag")
    }

    /// Bytes that the value was read from.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Returns the bytes of the body as an owned value.
    pub(crate) fn bytes(&self) -> Bytes {
        self.body.clone()
    }

    /// Returns the text of a header.
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

impl Response<()> {
    /// Makes a response whose body is not decoded.
    pub(crate) fn unread(response: WholeResponse) -> Self {
        let WholeResponse { status, headers, body, .. } = response;
        Self { value: (), status, headers, body }
    }
}

impl WholeResponse {
    /// Returns the response if the operation defines its status.
    pub(crate) fn expecting(self, statuses: &RangeInclusive<u16>) -> Result<Self, Error> {
        if statuses.contains(&self.status.as_u16()) {
            return Ok(self);
        }
        let error = Error::unknown_success(self.status, self.headers).of(self.origin).sent_with(self.key);
        trace::unreadable(&self.span, self.origin, error.kind());
        Err(error)
    }
}

impl<T: DeserializeOwned> Response<T> {
    /// Reads a response.
    pub(crate) fn decode(response: WholeResponse) -> Result<Self, Error> {
        let WholeResponse { status, headers, body, origin, key, span } = response;
        // Log messages of the decoder belong to the span of the call.
        match span.in_scope(|| serde_json::from_slice(&body)) {
            Ok(value) => Ok(Self { value, status, headers, body }),
            Err(fault) => {
                let error = Error::undecodable(status, headers, &fault).of(origin).sent_with(key);
                trace::unreadable(&span, origin, error.kind());
                Err(error.with(|inner| inner.unreadable_body = Some(body)))
            }
        }
    }
}

impl<T> Deref for Response<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// Omits headers and bytes. The `Debug` form of the value hides its own personal data.
impl<T: fmt::Debug> fmt::Debug for Response<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Response")
            .field("http_status", &self.status.as_u16())
            .field("request_id", &self.request_id())
            .field("value", &self.value)
            .finish_non_exhaustive()
    }
}
