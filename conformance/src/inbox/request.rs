//! A request that arrived at the suite's receiver, and the scripted responses to it.

use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;
use serde_json::Value;
use tokio::time::Instant;

use super::endpoints::ADDITIONAL;

/// Time after an attempt in which a copy counts as the same attempt. With at-least-once delivery an attempt may arrive
/// twice, because two workers claimed it or the network repeated it.
pub(super) const COPIED_WITHIN: Duration = Duration::from_secs(2);

/// One request that arrived at the receiver.
#[derive(Debug, Clone)]
pub struct HookRequest {
    /// Method as sent.
    pub method: String,
    /// Path and query as sent.
    pub path: String,
    /// Headers as sent.
    pub headers: HeaderMap,
    /// The raw body.
    pub body: Bytes,
    /// Time at which the last byte was read.
    pub arrived: Instant,
    /// Wall-clock seconds since the Unix epoch at arrival.
    pub arrived_unix: i64,
    /// Status of the response, 0 if there was none.
    pub answered: u16,
}

impl HookRequest {
    /// Returns the body as JSON, if it is JSON.
    pub fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }

    /// Returns a header's first value as text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Returns true if the body contains `marker`.
    pub fn mentions(&self, marker: &str) -> bool {
        is_in(marker, &self.body)
    }

    /// Returns true if it is a copy of `other`: the same bytes, signed at the same time, received at about the same time.
    pub fn is_copy_of(&self, other: &Self) -> bool {
        let is_same = |name: &str| self.headers.get(name) == other.headers.get(name);
        let apart = self.arrived.saturating_duration_since(other.arrived);
        apart < COPIED_WITHIN
            && self.path == other.path
            && self.body == other.body
            && is_same("webhook-id")
            && is_same("webhook-timestamp")
    }

    /// Returns true if it came to the endpoint under test, not to a further one.
    pub(super) fn is_main(&self) -> bool {
        !self.path.contains(ADDITIONAL)
    }
}

/// Returns true if a body contains a text. Fast, because each arrival is searched many times in a run.
pub(super) fn is_in(text: &str, body: &[u8]) -> bool {
    memchr::memmem::find(body, text.as_bytes()).is_some()
}

/// Returns the number of bytes of names and values.
pub(crate) fn header_bytes(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum()
}

/// One scripted response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookAnswer {
    /// This status, immediately. A redirect points to the same path with the script's marker as its query.
    Status(u16),
    /// This status with `Retry-After` in seconds.
    RetryAfter(u16, u64),
    /// This status with `Retry-After` as a date.
    RetryAtDate {
        /// Status of the response.
        status: u16,
        /// Seconds from `Date` to the date.
        seconds: u64,
        /// Seconds by which the clock of `Date` is behind.
        behind: u64,
    },
    /// This status with this JSON as its body.
    Json(u16, &'static str),
    /// This status after a delay.
    Slow(Duration, u16),
    /// No response, until the sender gives up or the receiver's limit is reached.
    Hang,
    /// 200 with an endless body, until the sender gives up or the receiver's limit is reached.
    Endless,
}

impl HookAnswer {
    /// Returns the status of the response; 0 without a response.
    pub fn status(self) -> u16 {
        match self {
            Self::Status(status)
            | Self::RetryAfter(status, _)
            | Self::RetryAtDate { status, .. }
            | Self::Json(status, _)
            | Self::Slow(_, status) => status,
            Self::Hang => 0,
            Self::Endless => 200,
        }
    }
}
