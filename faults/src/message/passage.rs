//! Records the messages that pass a fault, to find out if the fault changed anything.

use std::sync::{Arc, Mutex, PoisonError};

use super::request::Request;
use super::response::Response;

/// Requests forwarded by a fault, and their responses. Copies share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Passage(Arc<Mutex<Vec<(Request, Response)>>>);

impl Passage {
    pub(crate) fn note(&self, request: &Request, response: &Response) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((request.clone(), response.clone()));
    }

    /// Returns true if `request` was forwarded once and unchanged, and `response` is its response.
    pub(crate) fn is_unchanged(&self, request: &Request, response: &Response) -> bool {
        let sent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        matches!(&sent[..], [(only, back)] if only == request && back == response)
    }
}
