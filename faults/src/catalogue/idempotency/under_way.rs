//! Tracks concurrent requests with one key.

use std::time::Duration;

use serde_json::{Value, json};

use super::key;
use crate::edge::Exchange;
use crate::memory::Memory;

/// Delay of a first request, so that others run concurrently.
const KEPT_BACK: Duration = Duration::from_millis(60);

/// A request with a key that is in progress.
#[derive(Debug)]
pub(in super::super) struct UnderWay {
    memory: Memory,
    slot: String,
    /// Body of the request with the same key that was already in progress, if any.
    pub(in super::super) met: Option<String>,
}

impl UnderWay {
    /// Registers the request, unless it has no key. Delays a first request briefly.
    pub(in super::super) async fn begin(exchange: &Exchange) -> Option<Self> {
        let slot = format!("under way: {}", key::slot(&exchange.request)?);
        let own = json!([exchange.memory.next_number("requests"), String::from_utf8_lossy(&exchange.request.body)]);
        let first = exchange.memory.get_or_put(&slot, own.clone());
        let met = (first != own).then(|| first[1].as_str().unwrap_or_default().to_owned());
        let under_way = Self { memory: exchange.memory.clone(), slot, met };
        if under_way.met.is_none() {
            tokio::time::sleep(KEPT_BACK).await;
        }
        Some(under_way)
    }

    /// Waits until the other request has its response.
    pub(in super::super) async fn wait(&self) {
        let met: Option<Value> = self.memory.get(&self.slot);
        while met.is_some() && self.memory.get(&self.slot) == met {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        if self.met.is_none() {
            self.memory.take(&self.slot);
        }
    }
}
