//! Searches in the texts of articles and leads. A page reads only some of the newest rows, in an index that has all columns
//! that it needs (except for `updated_since`, which the dashboard does not use), and returns where the next page begins.

use crate::domain::article::{ArticleStatus, ArticleSummary};
use crate::domain::lead::Lead;
use crate::domain::search::Search;
use crate::domain::store::{ArticleFilter, LeadFilter, PageKey, PageRequest, Result, SearchPage};
use crate::domain::visibility::Visibility;

use super::leads;
use super::lists::List;
use super::sql::{Session, read};
use super::store::Store;

/// Number of rows to read for each row of a page.
const LOOKED_AT_PER_ROW: u32 = 100;

impl Store {
    /// Returns a page of the articles with this text in their titles.
    pub async fn search_articles(
        &self,
        visibility: &Visibility,
        filter: &ArticleFilter,
        text: &Search,
        page: &PageRequest,
    ) -> Result<SearchPage<ArticleSummary>> {
        let (visibility, filter, text, page) = (visibility.clone(), filter.clone(), text.clone(), page.clone());
        self.read_many(move |session| articles(session, &visibility, &filter, &text, &page)).await
    }

    /// Returns a page of the leads with this text in the e-mail address, the name or the company.
    pub async fn search_leads(
        &self,
        visibility: &Visibility,
        filter: &LeadFilter,
        text: &Search,
        page: &PageRequest,
    ) -> Result<SearchPage<Lead>> {
        let (visibility, filter, text, page) = (visibility.clone(), filter.clone(), text.clone(), page.clone());
        self.read_many(move |session| leads(session, &visibility, &filter, &text, &page)).await
    }
}

fn articles(
    session: &mut dyn Session,
    visibility: &Visibility,
    filter: &ArticleFilter,
    search: &Search,
    page: &PageRequest,
) -> Result<SearchPage<ArticleSummary>> {
    let (window, pattern, most) = (window(page), search.like_pattern(), page.limit.saturating_add(1));
    // Uses the index `articles_search`.
    let newest = |columns: &str| {
        List::new(&format!("{columns} FROM articles"), visibility, "website_id")
            .only("updated_at >=", filter.updated_since)
    };
    let rows = newest(
        "SELECT summary FROM articles WHERE id IN (
            SELECT id FROM (SELECT id, created_at, status, website_id, search_text",
    )
    .page("created_at", &window)
    .then(") AS newest WHERE 1 = 1")
    .only("website_id =", filter.website_id.as_deref())
    .only("status =", filter.status.map(ArticleStatus::as_str))
    .matching("search_text", Some(&pattern))
    .first("created_at", most)
    .then(") ORDER BY created_at DESC, id DESC")
    .read(session, read::json::<ArticleSummary>)?;
    let key = |article: &ArticleSummary| PageKey { time: article.created_at, id: article.id.clone() };
    finish(rows, page, key, || newest("SELECT created_at, id").last("created_at", &window, session))
}

fn leads(
    session: &mut dyn Session,
    visibility: &Visibility,
    filter: &LeadFilter,
    search: &Search,
    page: &PageRequest,
) -> Result<SearchPage<Lead>> {
    let (window, pattern, most) = (window(page), search.like_pattern(), page.limit.saturating_add(1));
    // Uses the index `leads_search`.
    let newest = |columns: &str| {
        List::new(&format!("{columns} FROM leads"), visibility, "website_id")
            .only("captured_at >=", filter.captured_since)
            .only("captured_at <", filter.captured_until)
            .only("updated_at >=", filter.updated_since)
    };
    let rows = newest(
        "SELECT account_id, body FROM leads WHERE id IN (
            SELECT id FROM (SELECT id, captured_at, website_id, article_id, search_text",
    )
    .page("captured_at", &window)
    .then(") AS newest WHERE 1 = 1")
    .only("website_id =", filter.website_id.as_deref())
    .only("article_id =", filter.article_id.as_deref())
    .matching("search_text", Some(&pattern))
    .first("captured_at", most)
    .then(") ORDER BY captured_at DESC, id DESC")
    .read(session, leads::lead)?;
    let key = |lead: &Lead| PageKey { time: lead.captured_at, id: lead.id.clone() };
    finish(rows, page, key, || newest("SELECT captured_at, id").last("captured_at", &window, session))
}

/// Returns the rows that a page reads.
fn window(page: &PageRequest) -> PageRequest {
    PageRequest { after: page.after.clone(), limit: page.limit.saturating_mul(LOOKED_AT_PER_ROW) }
}

/// Returns the page. `rows` contains one row more than the page if there is one. `looked_until` returns the last row that was
/// read.
fn finish<T>(
    mut rows: Vec<T>,
    page: &PageRequest,
    key: impl Fn(&T) -> PageKey,
    looked_until: impl FnOnce() -> Result<Option<PageKey>>,
) -> Result<SearchPage<T>> {
    let limit = page.limit as usize;
    if rows.len() <= limit {
        return Ok(SearchPage { rows, next: looked_until()? });
    }
    rows.truncate(limit);
    let next = rows.last().map(key);
    Ok(SearchPage { rows, next })
}
