//! Catches panics in the work of one caller. They must not end a thread or a read loop that serves other callers.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::domain::store::{Error, Result};

/// Runs `work` and turns a panic into an error. The panic has already been logged with its location.
pub(super) fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(panicked()))
}

/// Returns the error for a caller whose work panicked.
pub(super) fn panicked() -> Error {
    Error::Broken("a database operation panicked".into())
}
