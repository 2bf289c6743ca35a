//! A fault that is on: its name, what it remembers, how often it did something.

use std::sync::atomic::{AtomicU64, Ordering};

use super::slots::Memory;

/// A fault that is on.
#[derive(Debug)]
pub struct Enabled {
    /// Its name in the catalogue.
    pub name: &'static str,
    /// What it remembers.
    pub memory: Memory,
    spoiled: AtomicU64,
}

impl Enabled {
    pub(crate) fn new(name: &'static str, memory: Memory) -> Self {
        Self { name, memory, spoiled: AtomicU64::new(0) }
    }

    /// Exchanges and deliveries that it changed so far.
    pub fn spoiled(&self) -> u64 {
        self.spoiled.load(Ordering::Relaxed)
    }

    /// Counts one spoiled exchange and logs it. The log holds nothing of what the exchange held.
    pub(crate) fn count_as_spoiled(&self, place: &str, what: &str) {
        self.spoiled.fetch_add(1, Ordering::Relaxed);
        tracing::info!(fault = self.name, place, what, "spoiled");
    }
}
