//! What may tell of a person: the texts of a lead, and whatever bytes may hold them. Which members of a record that is,
//! each record says itself.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

/// A value that no `Debug` output shows, so that a type which derives `Debug` keeps it out of logs and of panics.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Personal<T>(T);

impl<T> Personal<T> {
    /// The value itself.
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
