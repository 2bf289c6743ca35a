//! Requests for a page of a list, and pages of a search. `domain::page` makes the page tokens.

use crate::domain::clock::Timestamp;

/// Key of the last row of a page. Rows are ordered newest first by (time, id), and the next page begins after this key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageKey {
    /// Creation time (leads: capture time).
    pub time: Timestamp,
    /// The row's id.
    pub id: String,
}

/// A page of search results. A search reads few rows for each page. So a page may have fewer rows than requested, or no rows, and
/// `next` is where the search continues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchPage<T> {
    /// Rows, newest first.
    pub rows: Vec<T>,
    /// Key after which the search continues, if there may be more rows.
    pub next: Option<PageKey>,
}

/// A range of rows of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest {
    /// Only rows after this key.
    pub after: Option<PageKey>,
    /// Maximum number of rows.
    pub limit: u32,
}
