//! What one fault let through, to tell whether it changed anything.

use std::sync::{Arc, Mutex, PoisonError};

use super::request::Request;
use super::response::Response;

/// What was sent on behind a fault, and what came back. Copies share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Passage(Arc<Mutex<Vec<(Request, Response)>>>);

impl Passage {
    pub(crate) fn note(&self, request: &Request, response: &Response) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((request.clone(), response.clone()));
    }

    /// Whether `request` was sent on once and as it was, and `response` is what came back.
    pub(crate) fn is_unchanged(&self, request: &Request, response: &Response) -> bool {
        let sent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        matches!(&sent[..], [(only, back)] if only == request && back == response)
    }
}
