//! Reads the response of an endpoint, up to a size limit, and names the reason if it is missing.

use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, RETRY_AFTER};
use reqwest::{Response, StatusCode};

/// Maximum number of bytes of a response: the longest article, streamed with one word per event.
const MAX_RESPONSE_BYTES: usize = 8 * 1024 * 1024;

/// A complete response.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) body: String,
    /// Pause that the endpoint asks for.
    pub(super) retry_after: Option<Duration>,
}

/// Reason why there is no response. The messages reveal nothing about the operator's network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoAnswer {
    #[error("no response within the time limit")]
    TimedOut,
    #[error("cannot connect")]
    NotConnected,
    #[error("the connection closed before the response was complete")]
    BrokenOff,
    #[error("the response is larger than {} MiB", MAX_RESPONSE_BYTES / 1024 / 1024)]
    TooLarge,
}

impl Answer {
    /// Reads a response up to the size limit.
    pub(super) async fn read(mut response: Response) -> Result<Self, NoAnswer> {
        let (status, retry_after) = (response.status(), retry_after(response.headers()));
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            if body.len() + chunk.len() > MAX_RESPONSE_BYTES {
                return Err(NoAnswer::TooLarge);
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Self { status, body: String::from_utf8_lossy(&body).into_owned(), retry_after })
    }
}

/// Reads `Retry-After` in seconds, or OpenAI's header in milliseconds. Ignores the form with a date, because clocks differ.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = |name: HeaderName| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let millis = value(HeaderName::from_static("retry-after-ms")).map(|millis| millis / 1000.0);
    Duration::try_from_secs_f64(millis.or_else(|| value(RETRY_AFTER))?).ok()
}

impl From<reqwest::Error> for NoAnswer {
    fn from(error: reqwest::Error) -> Self {
        if error.is_timeout() {
            Self::TimedOut
        } else if error.is_connect() {
            Self::NotConnected
        } else {
            Self::BrokenOff
        }
    }
}
