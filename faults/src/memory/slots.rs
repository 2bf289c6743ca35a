//! The memory of one fault: values under names of its own.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::OwnedMutexGuard;

use super::world::World;

/// Most values that one fault keeps; further ones are not kept, so that a fault that runs for days stays small.
const MAX_VALUES: usize = 100_000;

/// What one fault remembers. Copies share it.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// What passed through the edge so far, the same for every fault.
    pub world: World,
    slots: Arc<Mutex<HashMap<String, (Instant, Value)>>>,
    turn: Arc<tokio::sync::Mutex<()>>,
}

impl Memory {
    /// An empty one.
    pub fn new(world: World) -> Self {
        Self { world, ..Self::default() }
    }

    /// What was kept under `name`.
    pub fn get(&self, name: &str) -> Option<Value> {
        self.with(|slots| slots.get(name).map(|(_, value)| value.clone()))
    }

    /// The text that was kept under `name`.
    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name)?.as_str().map(ToOwned::to_owned)
    }

    /// Keeps a value, and gives what was kept before.
    pub fn put(&self, name: &str, value: impl Into<Value>) -> Option<Value> {
        self.with(|slots| {
            if slots.len() >= MAX_VALUES && !slots.contains_key(name) {
                return None;
            }
            slots.insert(name.to_owned(), (Instant::now(), value.into())).map(|(_, value)| value)
        })
    }

    /// What is kept under `name`; where nothing is, `value` is kept from now on. Of callers at the same time one is first.
    pub fn get_or_put(&self, name: &str, value: impl Into<Value>) -> Value {
        self.with(|slots| slots.entry(name.to_owned()).or_insert_with(|| (Instant::now(), value.into())).1.clone())
    }

    /// Forgets what was kept under `name`, and gives it.
    pub fn take(&self, name: &str) -> Option<Value> {
        self.with(|slots| slots.remove(name).map(|(_, value)| value))
    }

    /// How long ago something was kept under `name`.
    pub fn age(&self, name: &str) -> Option<Duration> {
        self.with(|slots| slots.get(name).map(|(kept, _)| kept.elapsed()))
    }

    /// True on the first call for `name`, false after. Every call counts.
    pub fn is_first(&self, name: &str) -> bool {
        self.next_number(name) == 0
    }

    /// Returns 0, 1, 2, … on successive calls.
    pub fn next_number(&self, name: &str) -> u64 {
        self.with(|slots| {
            let (_, value) = slots.entry(name.to_owned()).or_insert_with(|| (Instant::now(), Value::from(0)));
            let count = value.as_u64().unwrap_or(0);
            *value = Value::from(count + 1);
            count
        })
    }

    /// Waits until nobody else of this fault has the turn: for what must not happen at the same time.
    pub async fn turn(&self) -> OwnedMutexGuard<()> {
        Arc::clone(&self.turn).lock_owned().await
    }

    fn with<Result>(&self, work: impl FnOnce(&mut HashMap<String, (Instant, Value)>) -> Result) -> Result {
        work(&mut self.slots.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
