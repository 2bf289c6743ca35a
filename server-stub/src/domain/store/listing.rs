//! Which rows of a list are wanted, and an article as it is read. Tokens for pages are made in `page`.

use bytes::Bytes;

use crate::domain::clock::Timestamp;
use crate::domain::post::PostStatus;
use crate::domain::publication::ArticleStatus;

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

/// Filters of the lead list; all that are given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeadFilter {
    /// Of this website.
    pub website_id: Option<String>,
    /// Captured on this article.
    pub article_id: Option<String>,
    /// Captured at or after.
    pub captured_since: Option<Timestamp>,
    /// Captured before.
    pub captured_until: Option<Timestamp>,
}

/// Filters of the pipeline; all that are given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PostFilter {
    /// Of this website.
    pub website_id: Option<String>,
    /// In this state.
    pub status: Option<PostStatus>,
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
    /// Where it stands.
    pub status: ArticleStatus,
    /// Strong entity tag, quotes included.
    pub etag: String,
    /// The JSON of [`Article`](crate::domain::publication::Article).
    pub body: Bytes,
    /// When it last changed.
    pub updated_at: Timestamp,
}
