//! What a call knows of the client that sends it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use reqwest::header::HeaderMap;

use crate::key::ApiKey;
use crate::options::RequestOptions;
use crate::retry_budget::RetryBudget;

/// The key and the options of a client.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) key: ApiKey,
    pub(crate) options: RequestOptions,
    /// Headers of every request that the layer below does not know of.
    pub(crate) headers: HeaderMap,
    /// Whether an application's HTTP client sends the requests, which may follow redirects.
    pub(crate) is_foreign_client: bool,
    pub(crate) shared: Arc<SharedState>,
}

/// What the calls of a client have learned of the server, and what they may do together. All clients on the same connections share it.
#[derive(Debug)]
pub(crate) struct SharedState {
    /// How many repetitions are left.
    pub(crate) retry_budget: RetryBudget,
    keeps_keys: AtomicBool,
    responses: AtomicUsize,
}

impl SharedState {
    /// The state of a client that has sent nothing.
    pub(crate) fn new(retry_budget: RetryBudget) -> Self {
        Self { retry_budget, keeps_keys: AtomicBool::new(false), responses: AtomicUsize::new(0) }
    }

    /// Remembers that the server keeps idempotency keys.
    pub(crate) fn learn_that_keys_are_kept(&self) {
        self.keeps_keys.store(true, Ordering::Relaxed);
    }

    /// Whether it has shown that it keeps them.
    pub(crate) fn keeps_keys(&self) -> bool {
        self.keeps_keys.load(Ordering::Relaxed)
    }

    /// Counts a response, whatever it says.
    pub(crate) fn count_response(&self) {
        self.responses.fetch_add(1, Ordering::Relaxed);
    }

    /// How many responses there were.
    pub(crate) fn responses(&self) -> usize {
        self.responses.load(Ordering::Relaxed)
    }
}
