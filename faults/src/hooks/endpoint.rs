//! An address of the proxy and its receiver.

use std::fmt;

/// An address of the proxy that is registered instead of a receiver's.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Index, counted from 0.
    pub number: usize,
    /// URL of the receiver.
    pub target: String,
    /// Secrets that may sign webhooks, the newest first.
    pub secrets: Vec<String>,
    /// True if the endpoint was removed but the server keeps sending.
    pub is_removed: bool,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Endpoint");
        shown.field("number", &self.number).field("secrets", &self.secrets.len()).field("is_removed", &self.is_removed);
        shown.finish_non_exhaustive()
    }
}
