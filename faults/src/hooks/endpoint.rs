//! An address of the proxy, and the receiver it stands for.

use std::fmt;

/// An address of the proxy that is registered in the place of a receiver's.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Counted from 0.
    pub number: usize,
    /// The receiver's URL.
    pub target: String,
    /// Secrets that may sign what arrives, the newest first.
    pub secrets: Vec<String>,
    /// Whether the endpoint was removed although the server goes on sending.
    pub is_removed: bool,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Endpoint");
        shown.field("number", &self.number).field("secrets", &self.secrets.len()).field("is_removed", &self.is_removed);
        shown.finish_non_exhaustive()
    }
}
