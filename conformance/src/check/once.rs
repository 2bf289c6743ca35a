//! Values that several cases read and none changes, such as an article: made once in a run.
//!
//! `steps` makes them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use tokio::sync::OnceCell;

use super::exchange::Exchange;

/// A value that was made, and the exchanges that made it.
#[derive(Debug, Clone)]
pub(super) struct Made {
    pub(super) known: Value,
    pub(super) exchanges: Vec<Arc<Exchange>>,
}

/// All values that are made once, by name.
#[derive(Debug, Default)]
pub(super) struct Once(Mutex<BTreeMap<String, Arc<OnceCell<Made>>>>);

impl Once {
    /// Returns the cell of `what`, empty until a case has made it.
    pub(super) fn place(&self, what: &str) -> Arc<OnceCell<Made>> {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(places.entry(what.to_owned()).or_default())
    }
}
