//! An article as a record: id, state, address and times. Its text is in `written_article`; nothing here renders or stores.

use serde::{Deserialize, Serialize};

use super::clock::Timestamp;
use super::job::Metadata;
use super::search::searchable;
use super::written_article::WrittenArticle;

/// The state of an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArticleStatus {
    /// It waits for approval.
    Draft,
    /// It waits for its publication time.
    Scheduled,
    /// It is public.
    Published,
    /// It was taken down.
    Archived,
}

impl ArticleStatus {
    /// The name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Scheduled => "scheduled",
            Self::Published => "published",
            Self::Archived => "archived",
        }
    }

    /// The state with that name in the API.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Draft, Self::Scheduled, Self::Published, Self::Archived]
            .into_iter()
            .find(|status| status.as_str() == name)
    }
}

/// An article, with the member names of the API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Article {
    /// `art_…`.
    pub id: String,
    /// The job that wrote it.
    pub job_id: Option<String>,
    /// The website it is for.
    pub website_id: String,
    /// Its state.
    pub status: ArticleStatus,
    /// Where it can be read; set exactly when published.
    pub url: Option<String>,
    /// Its address on the website itself.
    pub canonical_url: Option<String>,
    /// What was written.
    #[serde(flatten)]
    pub content: WrittenArticle,
    /// Echoed from the request.
    pub metadata: Metadata,
    /// When the job completed.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it was published.
    pub published_at: Option<Timestamp>,
}

/// An article in a list or an event (`ArticleSummary` in the document).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArticleSummary {
    /// `art_…`.
    pub id: String,
    /// The job that wrote it.
    pub job_id: Option<String>,
    /// The website it is for.
    pub website_id: String,
    /// Its state.
    pub status: ArticleStatus,
    /// The headline.
    pub title: String,
    /// Unique in its website.
    pub slug: String,
    /// Where it can be read; set exactly when published.
    pub url: Option<String>,
    /// Plain text, at most 300 characters.
    pub excerpt: String,
    /// At most 10.
    pub keywords: Vec<String>,
    /// At most 10.
    pub tags: Vec<String>,
    /// BCP 47.
    pub language: String,
    /// Words of the rendered text.
    pub word_count: u32,
    /// Minutes, at least 1.
    pub reading_time_minutes: u32,
    /// When the job completed.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it was published.
    pub published_at: Option<Timestamp>,
}

/// Where the hosted site shows an article, as a path of the server.
pub fn hosted_path(website_id: &str, slug: &str) -> String {
    format!("/sites/{website_id}/{slug}")
}

impl ArticleSummary {
    /// Where the hosted site shows the article if it was published there.
    pub fn hosted_path(&self) -> String {
        hosted_path(&self.website_id, &self.slug)
    }

    /// Whether the article was published on the hosted site, whatever the server's address was then.
    pub fn is_hosted(&self) -> bool {
        self.url.as_deref().is_some_and(|url| url.ends_with(&self.hosted_path()))
    }
}

impl Article {
    /// The form that lists and events carry.
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
            created_at: self.created_at,
            updated_at: self.updated_at,
            published_at: self.published_at,
        }
    }

    /// What a search in the list of articles looks through.
    pub fn search_text(&self) -> String {
        searchable([self.content.title.as_str()])
    }

    /// The article under another slug, its canonical address included.
    #[must_use]
    pub fn with_slug(mut self, slug: String) -> Self {
        if let Some(base) = self.canonical_url.as_deref().and_then(|url| url.strip_suffix(self.content.slug.as_str())) {
            self.canonical_url = Some(format!("{base}{slug}"));
        }
        self.content.slug = slug;
        self
    }

    /// The article, published at `url`. Nothing else sets `published`, so status, time and address always agree.
    #[must_use]
    pub fn published(mut self, url: String, now: Timestamp) -> Self {
        self.status = ArticleStatus::Published;
        self.url = Some(url);
        self.published_at = Some(now);
        // Somebody may have set the clock back since the article was written; whoever asks for changes must see this one.
        self.updated_at = self.updated_at.max(now);
        self
    }

    /// The article with the address at which search engines shall look for it.
    #[must_use]
    pub fn with_canonical_url(self, url: String) -> Self {
        Self { canonical_url: Some(url), ..self }
    }

    /// The article in the state that its post has given it; `None` unless it is a draft or scheduled.
    #[must_use]
    pub fn planned(self, status: ArticleStatus, now: Timestamp) -> Option<Self> {
        let is_planned = |status| matches!(status, ArticleStatus::Draft | ArticleStatus::Scheduled);
        if self.status == status {
            return is_planned(status).then_some(self);
        }
        (is_planned(self.status) && is_planned(status)).then(|| self.moved(status, now))
    }

    /// The article, taken down; `None` if it was before.
    #[must_use]
    pub fn archived(self, now: Timestamp) -> Option<Self> {
        (self.status != ArticleStatus::Archived).then(|| self.moved(ArticleStatus::Archived, now))
    }

    /// The article, a draft again; `None` unless it was taken down.
    #[must_use]
    pub fn restored(self, now: Timestamp) -> Option<Self> {
        (self.status == ArticleStatus::Archived).then(|| self.moved(ArticleStatus::Draft, now))
    }

    /// The article in a state in which nobody reads it on a website.
    fn moved(mut self, status: ArticleStatus, now: Timestamp) -> Self {
        self.status = status;
        self.url = None;
        self.published_at = None;
        self.updated_at = self.updated_at.max(now);
        self
    }
}
