//! What the suite's receiver has seen, and what it shall answer.
//!
//! The listening socket lives in `runner::receiver`; the checks in `hooks_*`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::HeaderMap;
use serde_json::Value;
use tokio::sync::Notify;

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
    /// The status that was answered.
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
        String::from_utf8_lossy(&self.body).contains(marker)
    }
}

#[derive(Debug, Default)]
struct State {
    seen: Vec<HookRequest>,
    scripts: BTreeMap<String, Vec<u16>>,
}

/// The shared log of one receiver.
#[derive(Debug, Default)]
pub struct HookLog {
    state: Mutex<State>,
    arrived: Notify,
    secret: Mutex<Option<String>>,
}

impl HookLog {
    /// Remembers the secret that the registration gave.
    pub fn set_secret(&self, secret: Option<String>) {
        *self.secret.lock().unwrap_or_else(PoisonError::into_inner) = secret;
    }

    /// The secret that the registration gave.
    pub fn secret(&self) -> Option<String> {
        self.secret.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Answers the next requests whose body holds `marker` with `statuses`, then 204 again.
    pub fn script(&self, marker: &str, statuses: &[u16]) {
        self.state().scripts.insert(marker.to_owned(), statuses.to_vec());
    }

    /// Takes the status to answer a request with.
    pub fn answer_for(&self, body: &[u8]) -> u16 {
        let text = String::from_utf8_lossy(body);
        let mut state = self.state();
        state
            .scripts
            .iter_mut()
            .filter(|(marker, statuses)| !statuses.is_empty() && text.contains(marker.as_str()))
            .map(|(_, statuses)| statuses.remove(0))
            .next()
            .unwrap_or(204)
    }

    /// Adds an arrival and wakes who waits.
    pub fn record(self: &Arc<Self>, request: HookRequest) {
        self.state().seen.push(request);
        self.arrived.notify_waiters();
    }

    /// Every arrival so far whose body holds `marker`.
    pub fn mentioning(&self, marker: &str) -> Vec<HookRequest> {
        let state = self.state();
        state.seen.iter().filter(|request| request.mentions(marker)).cloned().collect()
    }

    /// Every arrival so far.
    pub fn all(&self) -> Vec<HookRequest> {
        self.state().seen.clone()
    }

    /// Waits until `wanted` says enough of what mentions `marker`, or `limit` has passed.
    pub async fn wait_for(
        &self,
        marker: &str,
        limit: Duration,
        wanted: impl Fn(&[HookRequest]) -> bool,
    ) -> Vec<HookRequest> {
        let deadline = Instant::now() + limit;
        loop {
            let notified = self.arrived.notified();
            let found = self.mentioning(marker);
            let left = deadline.saturating_duration_since(Instant::now());
            if wanted(&found) || left.is_zero() {
                return found;
            }
            // A missed wake-up costs at most a fifth of a second.
            let nap = left.min(Duration::from_millis(200));
            let _ = tokio::time::timeout(nap, notified).await;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
