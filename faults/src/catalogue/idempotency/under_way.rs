//! Requests with one key at the same time.

use std::time::Duration;

use serde_json::{Value, json};

use super::key;
use crate::edge::Exchange;
use crate::memory::Memory;

/// How long a first request is kept back, so that others meet it.
const KEPT_BACK: Duration = Duration::from_millis(60);

/// A request with a key, as long as it is under way.
#[derive(Debug)]
pub(in super::super) struct UnderWay {
    memory: Memory,
    slot: String,
    /// The body of the request with the same key that was under way before, if one was.
    pub(in super::super) met: Option<String>,
}

impl UnderWay {
    /// Begins, unless the request has no key. Whoever meets nobody is kept back for a moment.
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

    /// Waits until the request that was met is answered.
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
