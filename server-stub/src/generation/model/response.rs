//! Reads the response of an endpoint, up to a size limit, and names the reason if it is missing.

use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, RETRY_AFTER};
use reqwest::{Response, StatusCode};
use serde_json::Value;

use super::event_stream;

/// Maximum number of bytes of a response: the longest article with its thoughts, streamed with one word per event.
const MAX_RESPONSE_BYTES: usize = 32 * 1024 * 1024;

/// Parts of an error's `type`, or of its code in words, and the status that they mean.
const KINDS: [(&str, u16); 5] =
    [("authentication", 401), ("not_found", 404), ("rate_limit", 429), ("overloaded", 529), ("api_error", 500)];

/// A complete response.
#[derive(Debug)]
pub(super) struct Answer {
    /// The status, or that of the error in a response that reports success.
    pub(super) status: StatusCode,
    /// True if an error ended a stream that had begun, so that the model has read the request.
    pub(super) was_begun: bool,
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
        let body = String::from_utf8_lossy(&body).into_owned();
        let hidden = if status.is_success() { hidden_status(&body) } else { None };
        Ok(match hidden {
            Some((status, was_begun)) => Self { status, was_begun, body, retry_after },
            None => Self { status, was_begun: false, body, retry_after },
        })
    }
}

/// Returns the status of an error that is sent as a success, by gateways and in the middle of a stream, and true if events preceded it.
fn hidden_status(body: &str) -> Option<(StatusCode, bool)> {
    if !body.contains("\"error\"") {
        return None;
    }
    let objects: Vec<Value> = event_stream::objects(body)?;
    let errors = objects
        .iter()
        .flat_map(|object| ["/error", "/choices/0/error"].into_iter().filter_map(|place| object.pointer(place)));
    let error = errors.into_iter().find(|error| error.is_object())?;
    let code = error["code"].as_str().map_or_else(|| error["code"].as_u64(), |code| code.parse().ok());
    let kind = || {
        let words = format!("{} {}", error["type"], error["code"]);
        KINDS.iter().find(|(kind, _)| words.contains(kind)).map(|(_, status)| *status)
    };
    let status =
        code.and_then(|code| u16::try_from(code).ok()).filter(|code| (400..600).contains(code)).or_else(kind)?;
    Some((StatusCode::from_u16(status).ok()?, objects.len() > 1))
}

/// Reads `Retry-After` in seconds, or OpenAI's header in milliseconds. Ignores dates: model APIs send seconds.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = |name: HeaderName| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let millis = value(HeaderName::from_static("retry-after-ms")).map(|millis| millis / 1000.0);
    Duration::try_from_secs_f64(millis.or_else(|| value(RETRY_AFTER))?).ok()
}

impl From<reqwest::Error> for NoAnswer {
    fn from(error: reqwest::Error) -> Self {
        // A connection that takes too long is an endpoint that is not there: nothing was sent.
        if error.is_connect() {
            Self::NotConnected
        } else if error.is_timeout() {
            Self::TimedOut
        } else {
            Self::BrokenOff
        }
    }
}
