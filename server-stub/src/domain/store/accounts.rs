//! Filters of the lists of websites and keys.

use crate::domain::account::WebsiteStatus;
use crate::domain::clock::Timestamp;
use crate::domain::key::KeyState;
use crate::domain::search::Search;

/// Filters of the list of keys, combined with AND.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyFilter {
    /// Only keys in this state at this time.
    pub state: Option<(KeyState, Timestamp)>,
    /// Only keys whose name contains this text.
    pub search: Option<Search>,
}

/// Filters of the list of websites, combined with AND.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WebsiteFilter {
    /// Only websites in this state.
    pub status: Option<WebsiteStatus>,
    /// Only websites whose name or address contains this text.
    pub search: Option<Search>,
}
