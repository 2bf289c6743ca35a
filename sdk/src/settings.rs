//! Settings of the client, shared with its calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use reqwest::header::HeaderMap;

use crate::key::ApiKey;
use crate::options::EffectiveOptions;
use crate::retry_budget::RetryBudget;

/// The key and the options of a client.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) key: ApiKey,
    pub(crate) options: EffectiveOptions,
    /// Headers that each request must carry because the HTTP client does not add them.
    pub(crate) headers: HeaderMap,
    /// True if the application's own HTTP client sends the requests. It may follow redirects.
    pub(crate) is_foreign_client: bool,
    pub(crate) shared: Arc<SharedState>,
}

/// State that the calls of a client share: learned properties of the server, and the retry budget. All clients on the same connections
/// share it.
#[derive(Debug)]
pub(crate) struct SharedState {
    /// Remaining retries.
    pub(crate) retry_budget: RetryBudget,
    keeps_keys: AtomicBool,
    responses: AtomicUsize,
}

impl SharedState {
    /// Makes the state of a client that has sent nothing.
    pub(crate) fn new(retry_budget: RetryBudget) -> Self {
        Self { retry_budget, keeps_keys: AtomicBool::new(false), responses: AtomicUsize::new(0) }
    }

    /// Records that the server keeps idempotency keys.
    pub(crate) fn learn_that_keys_are_kept(&self) {
        self.keeps_keys.store(true, Ordering::Relaxed);
    }

    /// Returns true if the server has shown that it keeps idempotency keys.
    pub(crate) fn keeps_keys(&self) -> bool {
        self.keeps_keys.load(Ordering::Relaxed)
    }

    /// Counts a response of any status.
    pub(crate) fn count_response(&self) {
        self.responses.fetch_add(1, Ordering::Relaxed);
    }

    /// Number of responses so far.
    pub(crate) fn responses(&self) -> usize {
        self.responses.load(Ordering::Relaxed)
    }
}
