//! Articles as they are read, and filters of their list.

use bytes::Bytes;

use crate::domain::article::ArticleStatus;
use crate::domain::clock::Timestamp;

/// Filters of the article list; all that are given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArticleFilter {
    /// Of this website.
    pub website_id: Option<String>,
    /// In this state.
    pub status: Option<ArticleStatus>,
    /// Changed at or after.
    pub updated_since: Option<Timestamp>,
}

/// An article as it is read: the bytes were made when it was written.
#[derive(Debug, Clone)]
pub struct StoredArticle {
    /// The owner.
    pub account_id: String,
    /// Its website.
    pub website_id: String,
    /// `art_…`.
    pub id: String,
    /// Its state.
    pub status: ArticleStatus,
    /// Strong entity tag, quotes included.
    pub etag: String,
    /// The JSON of [`Article`](crate::domain::article::Article).
    pub body: Bytes,
    /// When it last changed.
    pub updated_at: Timestamp,
}
