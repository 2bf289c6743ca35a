//! Counts what writing one article uses of a language model. The worker stores it, whatever comes of the article.

use std::sync::{Arc, Mutex, PoisonError};

use crate::domain::language_model::ModelUsage;

/// A count that the writer of an article adds to and the worker takes from.
#[derive(Debug, Clone, Default)]
pub struct UsageMeter(Arc<Mutex<ModelUsage>>);

impl UsageMeter {
    /// Adds what was used.
    pub fn add(&self, usage: &ModelUsage) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).add(usage);
    }

    /// What was used since this was called last.
    #[must_use]
    pub fn take(&self) -> ModelUsage {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
