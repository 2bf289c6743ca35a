//! Filters of the lists of websites and keys.

use crate::domain::account::WebsiteStatus;
use crate::domain::clock::Timestamp;
use crate::domain::key::KeyState;
use crate::domain::search::Search;

/// Filters of the list of keys; all that are given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyFilter {
    /// In this state at that time.
    pub state: Option<(KeyState, Timestamp)>,
    /// With this in their name.
    pub search: Option<Search>,
}

/// Filters of the list of websites; all that are given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WebsiteFilter {
    /// In this state.
    pub status: Option<WebsiteStatus>,
    /// With this in their name or address.
    pub search: Option<Search>,
}
