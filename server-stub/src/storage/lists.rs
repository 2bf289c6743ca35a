//! Lists with filters, the visibility of the caller and keyset paging, newest first. The file of each subject reads its rows.

use std::fmt::Write as _;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::domain::account::{Website, WebsiteStatus};
use crate::domain::article::{ArticleStatus, ArticleSummary};
use crate::domain::audit::{Action, AuditEntry};
use crate::domain::clock::Timestamp;
use crate::domain::key::{ApiKey, KeyState};
use crate::domain::lead::Lead;
use crate::domain::post::{PostStatus, ScheduledPost};
use crate::domain::search::Search;
use crate::domain::store::{
    ArticleFilter, ArticlePart, AuditFilter, KeyFilter, LeadFilter, PageKey, PageRequest, PostFilter, Published,
    Result, StoredRow, WebsiteFilter,
};
use crate::domain::visibility::Visibility;

use super::deletion::website_exists;
use super::sql::{Columns, Session, Value, read, values};
use super::store::Store;
use super::{audit, keys, leads, posts, websites};

/// Maximum number of rows of a short page: the default page size and one more row.
const MAX_SHORT_PAGE: u32 = 32;
/// Maximum number of changed articles or leads that are read and sorted for a page, which takes a few milliseconds. If there
/// are more, a scan of all rows, newest first, finds a page quickly.
const MAX_SORTED: i64 = 1000;

impl Store {
    /// Returns a page of websites.
    pub async fn list_websites(
        &self,
        visibility: &Visibility,
        filter: &WebsiteFilter,
        page: &PageRequest,
    ) -> Result<Vec<Website>> {
        let (visibility, filter, page) = (visibility.clone(), filter.clone(), page.clone());
        let is_short = is_short(&visibility, &filter, &page);
        self.read_page(is_short, move |session| {
            let pattern = filter.search.as_ref().map(Search::like_pattern);
            List::new(concat!("SELECT ", websites::website_columns!(), " FROM websites"), &visibility, "id")
                .then(" AND deleted_at IS NULL")
                .only("status =", filter.status.map(WebsiteStatus::as_str))
                .matching("lower(normalize(name || ' ' || url))", pattern.as_ref())
                .rows(session, "created_at", &page, websites::website)
        })
        .await
    }

    /// Returns a page of an account's keys.
    pub async fn list_keys(&self, account_id: &str, filter: &KeyFilter, page: &PageRequest) -> Result<Vec<ApiKey>> {
        let visibility = Visibility { account_id: account_id.to_owned(), website_ids: None };
        let (filter, page) = (filter.clone(), page.clone());
        self.read_many(move |session| keys(session, &visibility, &filter, &page)).await
    }

    /// Returns a page of the account's audit trail, newest first.
    pub async fn list_audit_entries(
        &self,
        account_id: &str,
        filter: &AuditFilter,
        page: &PageRequest,
    ) -> Result<Vec<AuditEntry>> {
        let visibility = Visibility { account_id: account_id.to_owned(), website_ids: None };
        let (filter, page) = (filter.clone(), page.clone());
        let is_short = is_short(&visibility, &filter, &page);
        self.read_page(is_short, move |session| {
            let pattern = filter.actor.as_ref().map(|actor| actor.like_pattern());
            List::new("SELECT id, account_id, at, actor, action, subject, detail FROM audit_entries", &visibility, "id")
                .only("action =", filter.action.map(Action::as_str))
                .matching("actor", pattern.as_ref())
                .rows(session, "at", &page, audit::entry)
        })
        .await
    }

    /// Returns a page of articles.
    pub async fn list_articles(
        &self,
        visibility: &Visibility,
        filter: &ArticleFilter,
        page: &PageRequest,
    ) -> Result<Vec<ArticleSummary>> {
        self.article_rows(visibility, filter, page, read::json).await
    }

    /// Like [`list_articles`](Self::list_articles), with the stored summaries.
    pub async fn list_stored_articles(
        &self,
        visibility: &Visibility,
        filter: &ArticleFilter,
        page: &PageRequest,
    ) -> Result<Vec<StoredRow>> {
        self.article_rows(visibility, filter, page, stored_row).await
    }

    async fn article_rows<T: Send + 'static>(
        &self,
        visibility: &Visibility,
        filter: &ArticleFilter,
        page: &PageRequest,
        read: fn(&mut Columns<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let (visibility, filter, page) = (visibility.clone(), filter.clone(), page.clone());
        let is_short = is_short(&visibility, &filter, &page);
        self.read_page(is_short, move |session| {
            let list = match filter.updated_since {
                Some(since) if are_few(session, COUNT_CHANGED_ARTICLES, &visibility, since)? => List::within(
                    CHANGED_ARTICLES,
                    values![&visibility.account_id, since].to_vec(),
                    &visibility,
                    "website_id",
                ),
                // The plus sign keeps the database from using an index on this column. With this many changed
                // rows, a scan, newest first, is fast.
                since => List::new("SELECT summary, created_at, id FROM articles", &visibility, "website_id")
                    .only("+updated_at >=", since),
            };
            list.only("website_id =", filter.website_id.as_deref())
                .only("status =", filter.status.map(ArticleStatus::as_str))
                .rows(session, "created_at", &page, read)
        })
        .await
    }

    /// Returns a page of the published articles that `visibility` sees, as that part of them, and whether the hosted site shows each.
    pub async fn list_published<T: DeserializeOwned + Send + 'static>(
        &self,
        visibility: &Visibility,
        part: ArticlePart,
        page: &PageRequest,
    ) -> Result<Vec<Published<T>>> {
        let (visibility, page) = (visibility.clone(), page.clone());
        self.read_many(move |session| {
            let select = match part {
                ArticlePart::Summary => "SELECT summary, is_hosted FROM articles",
                ArticlePart::Whole => "SELECT body, is_hosted FROM articles",
            };
            List::new(select, &visibility, "website_id").only("status =", Some(ArticleStatus::Published.as_str())).rows(
                session,
                "created_at",
                &page,
                |row| Ok(Published { article: row.json()?, is_hosted: row.flag()? }),
            )
        })
        .await
    }

    /// Returns a page of leads.
    pub async fn list_leads(
        &self,
        visibility: &Visibility,
        filter: &LeadFilter,
        page: &PageRequest,
    ) -> Result<Vec<Lead>> {
        self.lead_rows(visibility, filter, page, leads::lead).await
    }

    /// Like [`list_leads`](Self::list_leads), with the stored leads.
    pub async fn list_stored_leads(
        &self,
        visibility: &Visibility,
        filter: &LeadFilter,
        page: &PageRequest,
    ) -> Result<Vec<StoredRow>> {
        let read = |row: &mut Columns<'_>| row.str().and_then(|_| stored_row(row));
        self.lead_rows(visibility, filter, page, read).await
    }

    async fn lead_rows<T: Send + 'static>(
        &self,
        visibility: &Visibility,
        filter: &LeadFilter,
        page: &PageRequest,
        read: fn(&mut Columns<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let (visibility, filter, page) = (visibility.clone(), filter.clone(), page.clone());
        let is_short = is_short(&visibility, &filter, &page);
        self.read_page(is_short, move |session| {
            let list = match filter.updated_since {
                Some(since) if are_few(session, COUNT_CHANGED_LEADS, &visibility, since)? => List::within(
                    CHANGED_LEADS,
                    values![&visibility.account_id, since].to_vec(),
                    &visibility,
                    "website_id",
                ),
                _ => List::new("SELECT account_id, body, captured_at, id FROM leads", &visibility, "website_id"),
            };
            list.of_leads(&filter).rows(session, "captured_at", &page, read)
        })
        .await
    }

    /// Counts the leads that match the filter and contain `text`, if given.
    pub async fn count_leads(
        &self,
        visibility: &Visibility,
        filter: &LeadFilter,
        text: Option<&Search>,
    ) -> Result<u64> {
        let (visibility, filter, text) = (visibility.clone(), filter.clone(), text.cloned());
        self.read_many(move |session| {
            let pattern = text.as_ref().map(Search::like_pattern);
            let counts = List::new("SELECT count(*) FROM leads", &visibility, "website_id")
                .of_leads(&filter)
                .matching("search_text", pattern.as_ref())
                .read(session, read::number)?;
            Ok(counts.first().map_or(0, |count| u64::try_from(*count).unwrap_or_default()))
        })
        .await
    }

    /// Returns a page of posts.
    pub async fn list_posts(
        &self,
        visibility: &Visibility,
        filter: &PostFilter,
        page: &PageRequest,
    ) -> Result<Vec<ScheduledPost>> {
        let (visibility, filter, page) = (visibility.clone(), filter.clone(), page.clone());
        let is_short = is_short(&visibility, &filter, &page);
        self.read_page(is_short, move |session| {
            List::new(concat!("SELECT ", posts::post_columns!(), " FROM scheduled_posts"), &visibility, "website_id")
                .only("website_id =", filter.website_id.as_deref())
                .only("status =", filter.status.map(PostStatus::as_str))
                .rows(session, "created_at", &page, posts::post)
        })
        .await
    }
}

/// Reads stored JSON with its time and id.
fn stored_row(row: &mut Columns<'_>) -> Result<StoredRow> {
    let json: Box<RawValue> = row.json()?;
    Ok(StoredRow { json: json.into(), key: PageKey { time: row.time()?, id: row.text()? } })
}

/// Returns true if an index leads to the rows of the page and to no others.
fn is_short<F: Default + PartialEq>(visibility: &Visibility, filter: &F, page: &PageRequest) -> bool {
    visibility.website_ids.is_none() && *filter == F::default() && page.limit <= MAX_SHORT_PAGE
}

fn keys(
    session: &mut dyn Session,
    visibility: &Visibility,
    filter: &KeyFilter,
    page: &PageRequest,
) -> Result<Vec<ApiKey>> {
    let pattern = filter.search.as_ref().map(Search::like_pattern);
    // A revoked key is never `expired`. A key without expiry expires at the end of time.
    let (revoked, expiry) = match filter.state {
        None => (None, None),
        Some((KeyState::Revoked, _)) => (Some(true), None),
        Some((KeyState::Live, now)) => (Some(false), Some((">", now))),
        Some((KeyState::Expired, now)) => (Some(false), Some(("<=", now))),
    };
    let comparison = format!("coalesce(expires_at, {}) {}", i64::MAX, expiry.map_or(">", |(comparison, _)| comparison));
    List::new(concat!("SELECT ", keys::key_columns!(), " FROM api_keys"), visibility, "id")
        .only("CASE WHEN revoked_at IS NULL THEN 0 ELSE 1 END =", revoked)
        .only(&comparison, expiry.map(|(_, now)| now))
        .matching("lower(normalize(name))", pattern.as_ref())
        .rows(session, "created_at", page, keys::key)
}

/// Selects the few changed articles by the index `articles_changed`. Otherwise the database might scan all articles of the
/// account or the website to avoid sorting these few.
const CHANGED_ARTICLES: &str = "WITH changed AS MATERIALIZED (
        SELECT id, account_id, website_id, status, created_at, summary FROM articles
        WHERE account_id = $1 AND updated_at >= $2)
     SELECT summary, created_at, id FROM changed";

/// Counts the articles that changed, up to a limit.
const COUNT_CHANGED_ARTICLES: &str = "SELECT count(*) FROM (
        SELECT 1 FROM articles WHERE account_id = $1 AND updated_at >= $2 LIMIT $3) AS changed";

/// Returns true if at most [`MAX_SORTED`] rows of the account have changed since then.
fn are_few(session: &mut dyn Session, count: &'static str, visibility: &Visibility, since: Timestamp) -> Result<bool> {
    Ok(session.number(count, values![&visibility.account_id, since, MAX_SORTED + 1])? <= MAX_SORTED)
}

/// Selects the few changed leads by the index `leads_changed`, as for articles.
const CHANGED_LEADS: &str = "WITH changed AS MATERIALIZED (
        SELECT id, account_id, website_id, article_id, captured_at, updated_at, body FROM leads
        WHERE account_id = $1 AND updated_at >= $2)
     SELECT account_id, body, captured_at, id FROM changed";

/// Counts the leads that changed, up to a limit.
const COUNT_CHANGED_LEADS: &str = "SELECT count(*) FROM (
        SELECT 1 FROM leads WHERE account_id = $1 AND updated_at >= $2 LIMIT $3) AS changed";

/// A query that grows by conditions, each with its values.
pub(super) struct List<'a> {
    sql: String,
    values: Vec<Value<'a>>,
}

impl<'a> List<'a> {
    /// Returns a query for the rows of `select` that `visibility` may see. `website_column` is the column with the website's id.
    pub(super) fn new(select: &str, visibility: &'a Visibility, website_column: &str) -> Self {
        Self::within(select, Vec::new(), visibility, website_column)
    }

    /// Like [`List::new`], for a `select` with values.
    fn within(select: &str, values: Vec<Value<'a>>, visibility: &'a Visibility, website_column: &str) -> Self {
        let mut list = Self { sql: format!("{select} WHERE "), values };
        list.push("account_id =", &visibility.account_id);
        if website_column == "website_id" {
            list.sql.push_str(concat!(" AND ", website_exists!()));
        }
        match visibility.website_ids.as_deref() {
            None => {}
            // Most restrictions name one website, and an equality can use an index.
            Some([website_id]) => list = list.only(&format!("{website_column} ="), Some(website_id)),
            Some(website_ids) => {
                // A caller without websites sees no rows.
                list.sql.push_str(" AND (1 = 0");
                for website_id in website_ids {
                    list.sql.push_str(" OR ");
                    list.push(&format!("{website_column} ="), website_id);
                }
                list.sql.push(')');
            }
        }
        list
    }

    /// Adds a comparison with `value`.
    fn push(&mut self, comparison: &str, value: impl Into<Value<'a>>) {
        self.values.push(value.into());
        write!(self.sql, "{comparison} ${}", self.values.len()).expect("writing to a String does not fail");
    }

    /// Keeps only rows for which the comparison with `value` is true, if a value is given.
    pub(super) fn only(mut self, comparison: &str, value: Option<impl Into<Value<'a>>>) -> Self {
        if let Some(value) = value {
            self.sql.push_str(" AND ");
            self.push(comparison, value);
        }
        self
    }

    /// Keeps only rows whose text matches the pattern, if one is given.
    pub(super) fn matching(self, text: &str, pattern: Option<&'a String>) -> Self {
        let is_searched = pattern.is_some();
        let mut list = self.only(&format!("{text} LIKE"), pattern);
        if is_searched {
            list.sql.push_str(" ESCAPE '\\'");
        }
        list
    }

    /// Keeps only leads that match the filter.
    fn of_leads(self, filter: &'a LeadFilter) -> Self {
        self.only("website_id =", filter.website_id.as_deref())
            .only("article_id =", filter.article_id.as_deref())
            .only("captured_at >=", filter.captured_since)
            .only("captured_at <", filter.captured_until)
            // The plus sign keeps the database from using `leads_changed`, as for articles.
            .only("+updated_at >=", filter.updated_since)
    }

    /// Returns the page's rows, newest first by `time_column` and id.
    fn rows<T>(
        self,
        session: &mut dyn Session,
        time_column: &str,
        page: &'a PageRequest,
        read: impl Fn(&mut Columns<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        self.page(time_column, page).read(session, read)
    }

    /// Keeps only the rows of the page, newest first by `time_column` and id.
    pub(super) fn page(self, time_column: &str, page: &'a PageRequest) -> Self {
        self.behind(time_column, page).first(time_column, page.limit)
    }

    /// Keeps only rows after the one where the page begins.
    fn behind(mut self, time_column: &str, page: &'a PageRequest) -> Self {
        if let Some(after) = &page.after {
            self = self.only(&format!("({time_column}, id) < ("), Some(after.time));
            self.push(",", &after.id);
            self.sql.push(')');
        }
        self
    }

    /// Keeps only the newest rows by `time_column` and id, at most `most`.
    pub(super) fn first(mut self, time_column: &str, most: u32) -> Self {
        write!(self.sql, " ORDER BY {time_column} DESC, id DESC").expect("writing to a String does not fail");
        self.push(" LIMIT", most);
        self
    }

    /// Returns the last row of the page, of a query for times and ids; `None` if the page is not full.
    pub(super) fn last(
        self,
        time_column: &str,
        page: &'a PageRequest,
        session: &mut dyn Session,
    ) -> Result<Option<PageKey>> {
        let mut list = self.behind(time_column, page).first(time_column, 1);
        list.push(" OFFSET", page.limit.saturating_sub(1));
        Ok(list.read(session, |row| Ok(PageKey { time: row.time()?, id: row.text()? }))?.pop())
    }

    /// Appends `sql` to the query.
    pub(super) fn then(mut self, sql: &str) -> Self {
        self.sql.push_str(sql);
        self
    }

    /// Returns the rows.
    pub(super) fn read<T>(
        self,
        session: &mut dyn Session,
        read: impl Fn(&mut Columns<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        session.rows(self.sql.as_str(), &self.values, read)
    }
}
