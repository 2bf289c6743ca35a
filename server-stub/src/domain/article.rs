//! An article as a record: id, state, address and times. `written_article` contains its text.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::clock::Timestamp;
use super::names::names;
use super::search::searchable;
use super::written_article::WrittenArticle;

/// Key-value pairs from the caller, echoed in the job, its article and its events.
pub type Metadata = BTreeMap<String, String>;

names! {
    /// The state of an article.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ArticleStatus {
        /// The article waits for approval.
        Draft = "draft",
        /// The article waits for its publication time.
        Scheduled = "scheduled",
        /// The article is public.
        Published = "published",
        /// The article was taken down.
        Archived = "archived",
    }
}

/// An article, with the field names of the API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Article {
    /// `art_…`.
    pub id: String,
    /// The job that wrote it.
    pub job_id: Option<String>,
    /// The website it is for.
    pub website_id: String,
    /// Current state.
    pub status: ArticleStatus,
    /// Public URL; set exactly while published.
    pub url: Option<String>,
    /// URL for search engines; set exactly while published.
    pub canonical_url: Option<String>,
    /// Title, text and other content.
    #[serde(flatten)]
    pub content: WrittenArticle,
    /// Version of the text: 1 as written, one more after each edit.
    pub version: u32,
    /// Echoed from the request.
    pub metadata: Metadata,
    /// Completion time of the job.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// Publication time.
    pub published_at: Option<Timestamp>,
}

/// An article in a list or an event (`ArticleSummary` in `openapi.yaml`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArticleSummary {
    /// `art_…`.
    pub id: String,
    /// The job that wrote it.
    pub job_id: Option<String>,
    /// The website it is for.
    pub website_id: String,
    /// Current state.
    pub status: ArticleStatus,
    /// The headline.
    pub title: String,
    /// Unique within its website.
    pub slug: String,
    /// Public URL; set exactly while published.
    pub url: Option<String>,
    /// Plain text, at most 300 characters.
    pub excerpt: String,
    /// At most 10.
    pub keywords: Vec<String>,
    /// At most 10.
    pub tags: Vec<String>,
    /// BCP 47.
    pub language: String,
    /// Number of words of the rendered text.
    pub word_count: u32,
    /// Reading time in minutes, at least 1.
    pub reading_time_minutes: u32,
    /// Version of the text: 1 as written, one more after each edit.
    pub version: u32,
    /// Completion time of the job.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// Publication time.
    pub published_at: Option<Timestamp>,
}

/// Reason for not storing an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EditRefusal {
    /// Another user saved this version meanwhile.
    #[error("version {0} of the article was saved meanwhile; compare it with yours and save again")]
    Changed(u32),
    /// The article was taken down.
    #[error("the article is archived; make it a draft again first")]
    Archived,
    /// The scheduler is publishing the article.
    #[error("the article is being published; save again in a minute")]
    BeingPublished,
}

/// Returns the path of an article on the hosted site.
pub fn hosted_path(website_id: &str, slug: &str) -> String {
    format!("/sites/{website_id}/{slug}")
}

impl Article {
    /// Returns the summary for lists and events.
    pub fn summary(&self) -> ArticleSummary {
        ArticleSummary {
            id: self.id.clone(),
            job_id: self.job_id.clone(),
            website_id: self.website_id.clone(),
            status: self.status,
            title: self.content.title.clone(),
            slug: self.content.slug.clone(),
            url: self.url.clone(),
            excerpt: self.content.excerpt.clone(),
            keywords: self.content.keywords.clone(),
            tags: self.content.tags.clone(),
            language: self.content.language.clone(),
            word_count: self.content.word_count,
            reading_time_minutes: self.content.reading_time_minutes,
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
            published_at: self.published_at,
        }
    }

    /// Returns the text that a search in the list of articles covers.
    pub fn search_text(&self) -> String {
        searchable([self.content.title.as_str()])
    }

    /// Returns the article with another slug.
    #[must_use]
    pub fn with_slug(mut self, slug: String) -> Self {
        self.content.slug = slug;
        self
    }

    /// Returns the article, published at `url`. Only this method sets `published`, so status, time and address always agree.
    #[must_use]
    pub fn published(mut self, url: String, now: Timestamp) -> Self {
        self.status = ArticleStatus::Published;
        self.canonical_url = Some(url.clone());
        self.url = Some(url);
        self.published_at = Some(now);
        // The clock may have been set back since the last change. `updated_at` must not decrease, or clients that poll for
        // changes miss this one.
        self.updated_at = self.updated_at.max(now);
        self
    }

    /// Returns the article with the canonical URL for search engines.
    #[must_use]
    pub fn with_canonical_url(self, url: String) -> Self {
        Self { canonical_url: Some(url), ..self }
    }

    /// Returns the article with the content of a user's edit as its next version. `opened` is the version that the user
    /// edited. The slug stays.
    pub fn edited(mut self, content: WrittenArticle, opened: u32, now: Timestamp) -> Result<Self, EditRefusal> {
        if self.status == ArticleStatus::Archived {
            return Err(EditRefusal::Archived);
        }
        if self.version != opened {
            return Err(EditRefusal::Changed(self.version));
        }
        self.content = WrittenArticle { slug: self.content.slug, ..content };
        self.version += 1;
        // The id of a push contains this time, so no two versions have the same time.
        self.updated_at = self.updated_at.plus_millis(1).max(now);
        Ok(self)
    }

    /// Returns the article in the state that its post requires; `None` unless it is a draft or scheduled.
    #[must_use]
    pub fn planned(self, status: ArticleStatus, now: Timestamp) -> Option<Self> {
        let is_planned = |status| matches!(status, ArticleStatus::Draft | ArticleStatus::Scheduled);
        if self.status == status {
            return is_planned(status).then_some(self);
        }
        (is_planned(self.status) && is_planned(status)).then(|| self.moved(status, now))
    }

    /// Returns the article, taken down; `None` if it was already taken down.
    #[must_use]
    pub fn archived(self, now: Timestamp) -> Option<Self> {
        (self.status != ArticleStatus::Archived).then(|| self.moved(ArticleStatus::Archived, now))
    }

    /// Returns the article as a draft again; `None` unless it was taken down.
    #[must_use]
    pub fn restored(self, now: Timestamp) -> Option<Self> {
        (self.status == ArticleStatus::Archived).then(|| self.moved(ArticleStatus::Draft, now))
    }

    /// Returns the article in an unpublished state.
    fn moved(mut self, status: ArticleStatus, now: Timestamp) -> Self {
        self.status = status;
        (self.url, self.canonical_url) = (None, None);
        self.published_at = None;
        self.updated_at = self.updated_at.max(now);
        self
    }
}
