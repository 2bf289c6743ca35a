//! Requests for a page of a list, pages of a search, filters of lists, and the records that they return. `domain::page` makes
//! the page tokens.

use bytes::Bytes;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::{Error, Result};
use crate::domain::account::WebsiteStatus;
use crate::domain::article::{Article, ArticleStatus};
use crate::domain::audit::Action;
use crate::domain::clock::Timestamp;
use crate::domain::delivery::LoggedDelivery;
use crate::domain::event::{Event, EventType};
use crate::domain::key::KeyState;
use crate::domain::personal::Personal;
use crate::domain::search::Search;

/// Key of the last row of a page. Rows are ordered newest first by (time, id), and the next page begins after this key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageKey {
    /// Creation time (leads: capture time).
    pub time: Timestamp,
    /// The row's id.
    pub id: String,
}

/// A row of an API list whose stored JSON is sent unchanged.
#[derive(Debug)]
pub struct StoredRow {
    /// Place of the row in its list.
    pub key: PageKey,
    /// JSON of the row.
    pub json: Personal<Box<RawValue>>,
}

impl Serialize for StoredRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.json.serialize(serializer)
    }
}

/// Part of an article in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArticlePart {
    /// The summary.
    Summary,
    /// The article with its text.
    Whole,
}

/// A published article of a list, or a part of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Published<T> {
    /// The article or its summary.
    pub article: T,
    /// True if the hosted site shows it, false if it was published elsewhere.
    pub is_hosted: bool,
}

/// A page of search results. A search reads few rows for each page. So a page may have fewer rows than requested, or no rows,
/// and `next` is where the search continues.
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
    /// The JSON of [`Article`].
    pub body: Bytes,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

impl StoredArticle {
    /// Reads the stored JSON.
    pub fn article(&self) -> Result<Article> {
        serde_json::from_slice(&self.body).map_err(|error| Error::Broken(error.into()))
    }
}

/// Filters of the audit trail, combined with AND.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Only this action.
    pub action: Option<Action>,
    /// Only actors whose name contains this text.
    pub actor: Option<Personal<Search>>,
}

/// Filters of the lead list, combined with AND.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeadFilter {
    /// Only leads of this website.
    pub website_id: Option<String>,
    /// Only leads of this article.
    pub article_id: Option<String>,
    /// Only leads captured at or after this time.
    pub captured_since: Option<Timestamp>,
    /// Only leads captured before this time.
    pub captured_until: Option<Timestamp>,
    /// Only leads changed at or after this time.
    pub updated_since: Option<Timestamp>,
}

/// An event about a lead, with its deliveries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeadEvent {
    /// `evt_…`.
    pub id: String,
    /// Type of the event.
    pub event_type: EventType,
    /// Time of the event.
    pub created_at: Timestamp,
    /// Deliveries to each subscribed endpoint, oldest first.
    pub deliveries: Vec<LoggedDelivery>,
    /// Number of attempts in the log for these deliveries.
    pub attempts: u64,
}

/// Result of a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Captured {
    /// A new lead, stored with its event.
    New,
    /// The same person, form and website within ten minutes. The first lead stays unchanged.
    Duplicate,
}

/// A link that confirms a lead, for the event about the lead.
#[derive(Debug, Clone)]
pub struct NewLink {
    /// From [`Lead::link_recipient`](crate::domain::lead::Lead::link_recipient).
    pub recipient: Personal<String>,
    /// The event with the link.
    pub event: Event,
    /// The recipient must have got no link since this time.
    pub none_since: Timestamp,
}
