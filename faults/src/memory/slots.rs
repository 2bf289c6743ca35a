//! The memory of one fault: named values.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::OwnedMutexGuard;

use super::world::World;

/// Maximum number of values of one fault. Drops further ones, so that a fault that runs for days stays small.
const MAX_VALUES: usize = 100_000;

/// Memory of one fault. Copies share it.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// Everything that passed through the proxy, shared by all faults.
    pub world: World,
    slots: Arc<Mutex<HashMap<String, (Instant, Value)>>>,
    turn: Arc<tokio::sync::Mutex<()>>,
}

impl Memory {
    /// Returns an empty memory.
    pub fn new(world: World) -> Self {
        Self { world, ..Self::default() }
    }

    /// Returns the value of `name`.
    pub fn get(&self, name: &str) -> Option<Value> {
        self.with(|slots| slots.get(name).map(|(_, value)| value.clone()))
    }

    /// Returns the text of `name`.
    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name)?.as_str().map(ToOwned::to_owned)
    }

    /// Stores a value and returns the previous one.
    pub fn put(&self, name: &str, value: impl Into<Value>) -> Option<Value> {
        self.with(|slots| {
            if slots.len() >= MAX_VALUES && !slots.contains_key(name) {
                return None;
            }
            slots.insert(name.to_owned(), (Instant::now(), value.into())).map(|(_, value)| value)
        })
    }

    /// Returns the value of `name`, or stores `value` and returns it. Only the first of concurrent callers stores.
    pub fn get_or_put(&self, name: &str, value: impl Into<Value>) -> Value {
        self.with(|slots| slots.entry(name.to_owned()).or_insert_with(|| (Instant::now(), value.into())).1.clone())
    }

    /// Removes and returns the value of `name`.
    pub fn take(&self, name: &str) -> Option<Value> {
        self.with(|slots| slots.remove(name).map(|(_, value)| value))
    }

    /// Returns the age of the value of `name`.
    pub fn age(&self, name: &str) -> Option<Duration> {
        self.with(|slots| slots.get(name).map(|(kept, _)| kept.elapsed()))
    }

    /// Returns true on the first call for `name`, and false after that.
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

    /// Waits for the fault's lock, for steps that must not run concurrently.
    pub async fn turn(&self) -> OwnedMutexGuard<()> {
        Arc::clone(&self.turn).lock_owned().await
    }

    fn with<Result>(&self, work: impl FnOnce(&mut HashMap<String, (Instant, Value)>) -> Result) -> Result {
        work(&mut self.slots.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
