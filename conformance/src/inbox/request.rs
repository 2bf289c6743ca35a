//! One request that arrived at the suite's receiver.

use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;
use serde_json::Value;
use tokio::time::Instant;

use super::endpoints::ADDITIONAL;

/// How long after an attempt a copy of it counts as the same attempt. Whoever delivers at least once may deliver an attempt twice,
/// such as two workers that claimed it, or a network that repeated it.
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
    /// When the last byte was read.
    pub arrived: Instant,
    /// Wall-clock seconds since the Unix epoch at arrival.
    pub arrived_unix: i64,
    /// The status that was answered, 0 when none was.
    pub answered: u16,
}

impl HookRequest {
    /// The body as JSON, if it is that.
    pub fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }

    /// A header's first value as text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Whether the body holds `marker`.
    pub fn mentions(&self, marker: &str) -> bool {
        is_in(marker, &self.body)
    }

    /// Whether it is a copy of `other`: the same bytes, signed at the same time, at about the same time.
    pub fn is_copy_of(&self, other: &Self) -> bool {
        let is_same = |name: &str| self.headers.get(name) == other.headers.get(name);
        let apart = self.arrived.saturating_duration_since(other.arrived);
        apart < COPIED_WITHIN
            && self.path == other.path
            && self.body == other.body
            && is_same("webhook-id")
            && is_same("webhook-timestamp")
    }

    /// Whether it came to the endpoint under test, and not to a further one.
    pub(super) fn is_main(&self) -> bool {
        !self.path.contains(ADDITIONAL)
    }
}

/// Whether a body holds a text. Each arrival is searched again and again for as long as a run lasts.
pub(super) fn is_in(text: &str, body: &[u8]) -> bool {
    memchr::memmem::find(body, text.as_bytes()).is_some()
}

/// The bytes of names and values.
pub(crate) fn header_bytes(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum()
}
