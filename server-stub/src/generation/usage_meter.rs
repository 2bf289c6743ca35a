//! Counts the language model usage of one article. The worker stores it even if the article fails.

use std::sync::{Arc, Mutex, PoisonError};

use crate::domain::language_model::ModelUsage;

/// Counter that the generator adds to and the worker reads.
#[derive(Debug, Clone, Default)]
pub struct UsageMeter(Arc<Mutex<ModelUsage>>);

impl UsageMeter {
    /// Adds usage.
    pub fn add(&self, usage: &ModelUsage) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).add(usage);
    }

    /// Returns the usage since the last call.
    #[must_use]
    pub fn take(&self) -> ModelUsage {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
