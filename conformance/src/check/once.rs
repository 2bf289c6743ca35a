//! What several cases look at and none changes, such as an article: it is made once in a run.
//!
//! What is made is said in `steps`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use tokio::sync::OnceCell;

use super::exchange::Exchange;

/// Something that was made: what is known of it, and the exchanges that made it.
#[derive(Debug, Clone)]
pub(super) struct Made {
    pub(super) known: Value,
    pub(super) exchanges: Vec<Arc<Exchange>>,
}

/// Everything that is made once, by what it is.
#[derive(Debug, Default)]
pub(super) struct Once(Mutex<BTreeMap<String, Arc<OnceCell<Made>>>>);

impl Once {
    /// The place of `what`, empty until somebody has made it.
    pub(super) fn place(&self, what: &str) -> Arc<OnceCell<Made>> {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(places.entry(what.to_owned()).or_default())
    }
}
