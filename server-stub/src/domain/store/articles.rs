//! Stored articles, and filters of their list.

use bytes::Bytes;

use crate::domain::article::ArticleStatus;
use crate::domain::clock::Timestamp;

/// Filters of the article list, combined with AND.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArticleFilter {
    /// Only articles of this website.
    pub website_id: Option<String>,
    /// Only articles in this state.
    pub status: Option<ArticleStatus>,
    /// Only articles changed at or after this time.
    pub updated_since: Option<Timestamp>,
}

/// A stored article. Its bytes were rendered when it was written.
#[derive(Debug, Clone)]
pub struct StoredArticle {
    /// The owner.
    pub account_id: String,
    /// The website.
    pub website_id: String,
    /// `art_…`.
    pub id: String,
    /// Current state.
    pub status: ArticleStatus,
    /// Strong entity tag, quotes included.
    pub etag: String,
    /// The JSON of [`Article`](crate::domain::article::Article).
    pub body: Bytes,
    /// Time of the last change.
    pub updated_at: Timestamp,
}
