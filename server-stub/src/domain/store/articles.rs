//! Reading articles, and taking them down. They are written by completing a job, and published by the publication queue.

use std::fmt;

use async_trait::async_trait;
use bytes::Bytes;

use crate::domain::account::Scope;
use crate::domain::article::{Article, ArticleStatus, ArticleSummary};
use crate::domain::clock::Timestamp;
use crate::domain::search::Search;

use super::{PageRequest, Result, SearchPage};

/// Articles as they are read.
#[async_trait]
pub trait Articles: Send + Sync + fmt::Debug {
    /// The article, whoever owns it.
    async fn find_article(&self, article_id: &str) -> Result<Option<StoredArticle>>;
    /// The published article at that address of the hosted site.
    async fn find_published(&self, website_id: &str, slug: &str) -> Result<Option<Article>>;
    /// A page of articles.
    async fn list_articles(
        &self,
        scope: &Scope,
        filter: &ArticleFilter,
        page: &PageRequest,
    ) -> Result<Vec<ArticleSummary>>;
    /// A page of the articles that have this in their titles.
    async fn search_articles(
        &self,
        scope: &Scope,
        filter: &ArticleFilter,
        search: &Search,
        page: &PageRequest,
    ) -> Result<SearchPage<ArticleSummary>>;
    /// Takes an article down and cancels its post where that waits; `false` if it is down already or is being published.
    async fn archive_article(&self, article_id: &str, now: Timestamp) -> Result<bool>;
    /// Makes a draft of an article that was taken down; `false` if it was not.
    async fn restore_article(&self, article_id: &str, now: Timestamp) -> Result<bool>;
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
