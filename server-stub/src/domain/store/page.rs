//! Which page of a list to read. Tokens for pages are made in `domain::page`.

use crate::domain::clock::Timestamp;

/// The last row of a page: rows are ordered newest first by (time, id), and the next page begins behind this key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageKey {
    /// Creation time (leads: capture time).
    pub time: Timestamp,
    /// The row's id.
    pub id: String,
}

/// Which rows of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest {
    /// Only rows behind this key.
    pub after: Option<PageKey>,
    /// At most this many rows.
    pub limit: u32,
}
