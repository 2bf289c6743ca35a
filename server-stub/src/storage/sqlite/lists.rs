//! Statements of the lists: filters, what the caller may see, and keyset paging, newest first. Reading a row is beside the
//! row's other statements.

use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

use crate::domain::account::{Scope, Website};
use crate::domain::clock::Timestamp;
use crate::domain::lead::Lead;
use crate::domain::post::ScheduledPost;
use crate::domain::publication::ArticleSummary;
use crate::domain::store::{ArticleFilter, LeadFilter, PageRequest, PostFilter, Result};

use super::row::{json, to_json};
use super::{accounts, leads, pipeline};

pub(super) fn websites(connection: &Connection, scope: &Scope, page: &PageRequest) -> Result<Vec<Website>> {
    List::new("SELECT * FROM websites", scope, "id").rows(connection, "created_at", page, accounts::website)
}

pub(super) fn articles(
    connection: &Connection,
    scope: &Scope,
    filter: &ArticleFilter,
    page: &PageRequest,
) -> Result<Vec<ArticleSummary>> {
    List::new("SELECT summary FROM articles", scope, "website_id")
        .only("website_id = ?", filter.website_id.clone())
        .only("status = ?", filter.status.map(|status| status.as_str().to_owned()))
        .only("updated_at >= ?", filter.updated_since.map(Timestamp::millis))
        .rows(connection, "created_at", page, |row| json(row, "summary"))
}

pub(super) fn leads(
    connection: &Connection,
    scope: &Scope,
    filter: &LeadFilter,
    page: &PageRequest,
) -> Result<Vec<Lead>> {
    List::new("SELECT account_id, body FROM leads", scope, "website_id")
        .only("website_id = ?", filter.website_id.clone())
        .only("article_id = ?", filter.article_id.clone())
        .only("captured_at >= ?", filter.captured_since.map(Timestamp::millis))
        .only("captured_at < ?", filter.captured_until.map(Timestamp::millis))
        .rows(connection, "captured_at", page, leads::lead)
}

pub(super) fn posts(
    connection: &Connection,
    scope: &Scope,
    filter: &PostFilter,
    page: &PageRequest,
) -> Result<Vec<ScheduledPost>> {
    List::new("SELECT * FROM scheduled_posts", scope, "website_id")
        .only("website_id = ?", filter.website_id.clone())
        .only("status = ?", filter.status.map(|status| status.as_str().to_owned()))
        .rows(connection, "created_at", page, pipeline::post)
}

/// A query that grows by conditions, each with its value.
struct List {
    sql: String,
    values: Vec<Value>,
}

impl List {
    /// The rows of `select` that `scope` may see; `website_column` names a row's website.
    fn new(select: &str, scope: &Scope, website_column: &str) -> Self {
        let list =
            Self { sql: format!("{select} WHERE account_id = ?"), values: vec![scope.account_id.clone().into()] };
        let restriction = format!("{website_column} IN (SELECT value FROM json_each(?))");
        list.only(&restriction, scope.website_ids.as_ref().map(to_json))
    }

    /// Only rows for which `condition` holds, if there is a `value` for it.
    fn only(mut self, condition: &str, value: Option<impl Into<Value>>) -> Self {
        if let Some(value) = value {
            self.sql.push_str(" AND ");
            self.sql.push_str(condition);
            self.values.push(value.into());
        }
        self
    }

    /// The page's rows, newest first by `time_column` and id.
    fn rows<T>(
        mut self,
        connection: &Connection,
        time_column: &str,
        page: &PageRequest,
        read: impl Fn(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        if let Some(after) = &page.after {
            self = self.only(&format!("({time_column}, id) < (?, ?)"), Some(after.time.millis()));
            self.values.push(after.id.clone().into());
        }
        self.sql.push_str(" ORDER BY ");
        self.sql.push_str(time_column);
        self.sql.push_str(" DESC, id DESC LIMIT ?");
        self.values.push(page.limit.into());
        let mut statement = connection.prepare_cached(&self.sql)?;
        let mut rows = statement.query(params_from_iter(self.values))?;
        let mut page = Vec::new();
        while let Some(row) = rows.next()? {
            page.push(read(row)?);
        }
        Ok(page)
    }
}
