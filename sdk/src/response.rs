//! A successful answer: its value, and what came with it.

use std::fmt;
use std::ops::{Deref, DerefMut};

use bytes::Bytes;
use reqwest::StatusCode;
use reqwest::header::HeaderMap;
use serde::de::DeserializeOwned;

use crate::answer::Answer;
use crate::error::Error;
use crate::trace;

/// An answer that was read as a `T`, which it can be used as directly.
///
/// ```no_run
/// # async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
/// let job = client.get_job().job_id("job_1").send().await?;
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
    /// The value alone.
    pub fn into_inner(self) -> T {
        self.value
    }

    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The headers of the answer.
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// The id by which the server's operators find the request.
    pub fn request_id(&self) -> Option<&str> {
        self.header("x-request-id")
    }

    /// The validator of this state of the resource, for a later `If-None-Match`.
    pub fn etag(&self) -> Option<&str> {
        self.header("etag")
    }

    /// The bytes that the value was read from.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The same, to be kept.
    pub(crate) fn bytes(&self) -> Bytes {
        self.body.clone()
    }

    /// The text of a header.
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

impl<T: DeserializeOwned> Response<T> {
    /// Reads an answer.
    pub(crate) fn decode(answer: Answer) -> Result<Self, Error> {
        let Answer { status, headers, body, origin, key, span } = answer;
        match serde_json::from_slice(&body) {
            Ok(value) => Ok(Self { value, status, headers, body }),
            Err(fault) => {
                let error = Error::undecodable(status, headers, &fault).of(origin).sent_with(key);
                trace::unreadable(&span, origin, error.kind());
                Err(error)
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

impl<T> DerefMut for Response<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

/// Without headers and bytes: the value says what can be shown of itself.
impl<T: fmt::Debug> fmt::Debug for Response<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Response")
            .field("status", &self.status.as_u16())
            .field("request_id", &self.request_id())
            .field("value", &self.value)
            .finish_non_exhaustive()
    }
}
