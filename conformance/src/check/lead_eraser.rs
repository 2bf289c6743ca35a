//! Erasure of leads. The API has no operation for it: the set-up provides a command, or the administration interface of a
//! server in the same process.

use std::fmt;

use futures::future::BoxFuture;

/// Erases leads. Every error is one clause.
pub trait LeadEraser: Send + Sync + fmt::Debug {
    /// Erases the lead with this id.
    fn erase(&self, lead_id: String) -> BoxFuture<'_, Result<(), String>>;
}
