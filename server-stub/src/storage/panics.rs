//! Panics in the work of one caller. They must not take a thread, or a loop that reads, away from everybody else.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::domain::store::{Error, Result};

/// Runs `work`; a panic becomes an error. Where it happened was logged by then.
pub(super) fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(panicked()))
}

/// The error for a caller whose work panicked.
pub(super) fn panicked() -> Error {
    Error::Broken("a database operation panicked".into())
}
