//! The page of a list to read. `domain::page` makes the tokens for pages.

use crate::domain::clock::Timestamp;

/// The last row of a page: rows are ordered newest first by (time, id), and the next page begins behind this key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageKey {
    /// Creation time (leads: capture time).
    pub time: Timestamp,
    /// The row's id.
    pub id: String,
}

/// A page of what was searched for. A search looks at few rows for each page: where most do not match it has fewer rows than were
/// asked for, or none, and tells where to look on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchPage<T> {
    /// Newest first.
    pub rows: Vec<T>,
    /// Behind which key to look on, if there may be more.
    pub next: Option<PageKey>,
}

/// Which rows of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest {
    /// Only rows behind this key.
    pub after: Option<PageKey>,
    /// At most this many rows.
    pub limit: u32,
}

impl PageRequest {
    /// The same page without the row that tells whether another page follows, for a search, which tells it itself.
    #[must_use]
    pub fn without_next(self) -> Self {
        Self { limit: self.limit.saturating_sub(1), ..self }
    }
}
