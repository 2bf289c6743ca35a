//! An enabled fault: its name, its memory, and its count of changes.

use std::sync::atomic::{AtomicU64, Ordering};

use super::slots::Memory;

/// An enabled fault.
#[derive(Debug)]
pub struct Enabled {
    /// Its name in the catalogue.
    pub name: &'static str,
    /// Memory of the fault.
    pub memory: Memory,
    spoiled: AtomicU64,
}

impl Enabled {
    pub(crate) fn new(name: &'static str, memory: Memory) -> Self {
        Self { name, memory, spoiled: AtomicU64::new(0) }
    }

    /// Number of exchanges and deliveries that it changed.
    pub fn spoiled(&self) -> u64 {
        self.spoiled.load(Ordering::Relaxed)
    }

    /// Counts one changed exchange and logs it, without any content of the exchange.
    pub(crate) fn count_as_spoiled(&self, place: &str, what: &str) {
        self.spoiled.fetch_add(1, Ordering::Relaxed);
        tracing::info!(fault = self.name, place, what, "spoiled");
    }
}
