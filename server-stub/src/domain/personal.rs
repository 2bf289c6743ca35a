//! Wrapper for personal data, such as the texts of a lead and the bytes that contain them. Each record decides which of its
//! fields are personal.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

/// A value that `Debug` output hides, so that types that derive `Debug` do not leak it into logs and panics.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Personal<T>(T);

impl<T> Personal<T> {
    /// Returns the value itself.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> From<T> for Personal<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T> Deref for Personal<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> fmt::Debug for Personal<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Personal(…)")
    }
}
