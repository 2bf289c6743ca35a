//! Statements of the lists: filters, what the caller may see, and keyset paging, newest first. Reading a row is beside the
//! row's other statements.

use std::fmt::Write as _;

use crate::domain::account::{Scope, Website};
use crate::domain::fault::table::{isolation, leads as leads_slip, outside, paging};
use crate::domain::lead::Lead;
use crate::domain::post::{PostStatus, ScheduledPost};
use crate::domain::publication::{ArticleStatus, ArticleSummary};
use crate::domain::store::{ArticleFilter, LeadFilter, PageRequest, PostFilter, Result};
use crate::storage::sql::{Columns, Session, Value, read};

use super::{accounts, leads, pipeline};

pub(in crate::storage) fn websites(
    session: &mut dyn Session,
    scope: &Scope,
    page: &PageRequest,
) -> Result<Vec<Website>> {
    List::new(&format!("SELECT {} FROM websites", accounts::WEBSITE), scope, "id").rows(
        session,
        "created_at",
        page,
        accounts::website,
    )
}

pub(in crate::storage) fn articles(
    session: &mut dyn Session,
    scope: &Scope,
    filter: &ArticleFilter,
    page: &PageRequest,
) -> Result<Vec<ArticleSummary>> {
    List::new("SELECT summary FROM articles", scope, "website_id")
        .only_website(filter.website_id.as_deref())
        .only("status =", filter.status.map(ArticleStatus::as_str).filter(|_| !paging::STATUS_IGNORED.is_on()))
        .loosened()
        .only(changed_since(), filter.updated_since.filter(|_| !paging::UPDATED_SINCE_IGNORED.is_on()))
        .only("status <>", paging::DRAFTS_UNLISTED.is_on().then(|| ArticleStatus::Draft.as_str()))
        .rows(session, "created_at", page, read::json)
}

pub(in crate::storage) fn leads(
    session: &mut dyn Session,
    scope: &Scope,
    filter: &LeadFilter,
    page: &PageRequest,
) -> Result<Vec<Lead>> {
    List::new("SELECT account_id, body FROM leads", scope, "website_id")
        .only_website(filter.website_id.as_deref())
        .only("article_id =", filter.article_id.as_deref().filter(|_| !paging::ARTICLE_FILTER_IGNORED.is_on()))
        .only(if paging::SINCE_EXCLUSIVE.is_on() { "captured_at >" } else { "captured_at >=" }, filter.captured_since)
        .only(if paging::UNTIL_INCLUSIVE.is_on() { "captured_at <=" } else { "captured_at <" }, filter.captured_until)
        .rows(session, "captured_at", page, leads::lead)
}

pub(in crate::storage) fn posts(
    session: &mut dyn Session,
    scope: &Scope,
    filter: &PostFilter,
    page: &PageRequest,
) -> Result<Vec<ScheduledPost>> {
    List::new(&format!("SELECT {} FROM scheduled_posts", pipeline::POST), scope, "website_id")
        .only_website(filter.website_id.as_deref())
        .only(
            if paging::STATUS_AT_CREATION.is_on() { "'queued' =" } else { "status =" },
            filter.status.map(PostStatus::as_str).filter(|_| !paging::STATUS_IGNORED.is_on()),
        )
        .only(
            "status <>",
            Some(PostStatus::Cancelled.as_str())
                .filter(|_| outside::CANCELLED_UNLISTED.is_on() && filter.status.is_none()),
        )
        .rows(session, if paging::BY_UPDATE.is_on() { "updated_at" } else { "created_at" }, page, pipeline::post)
}

/// How `updated_since` is compared.
fn changed_since() -> &'static str {
    match () {
        () if paging::UPDATED_IS_CREATED.is_on() => "created_at >=",
        () if paging::UPDATED_EXCLUSIVE.is_on() => "updated_at >",
        () => "updated_at >=",
    }
}

/// A query that grows by conditions, each with its values.
struct List<'a> {
    sql: String,
    values: Vec<Value<'a>>,
}

impl<'a> List<'a> {
    /// The rows of `select` that `scope` may see; `website_column` names a row's website.
    fn new(select: &str, scope: &'a Scope, website_column: &str) -> Self {
        let mut list = Self { sql: format!("{select} WHERE "), values: Vec::new() };
        if forgets_account(select) {
            // Keeps the numbering of the values.
            list.push("'' <>", &scope.account_id);
        } else {
            list.push("account_id =", &scope.account_id);
        }
        if let Some(website_ids) = &scope.website_ids {
            // A restriction names some websites; with none of them nothing may be seen.
            list.sql.push_str(" AND (1 = 0");
            for website_id in website_ids {
                list.sql.push_str(" OR ");
                list.push(&format!("{website_column} ="), website_id);
            }
            list.sql.push(')');
        }
        list
    }

    /// A comparison with `value`.
    fn push(&mut self, comparison: &str, value: impl Into<Value<'a>>) {
        self.values.push(value.into());
        write!(self.sql, "{comparison} ?{}", self.values.len()).expect("writing to a String does not fail");
    }

    /// Only rows for which the comparison with `value` holds, if there is one.
    fn only(mut self, comparison: &str, value: Option<impl Into<Value<'a>>>) -> Self {
        if let Some(value) = value {
            self.sql.push_str(" AND ");
            self.push(comparison, value);
        }
        self
    }

    /// Only rows of that website, if one is given.
    fn only_website(mut self, website_id: Option<&'a str>) -> Self {
        if website_id.is_some() && isolation::FILTER_INSTEAD_OF_ACCOUNT.is_on() {
            self.sql = self.sql.replacen("account_id = ?1", "'' <> ?1", 1);
        }
        self.only("website_id =", website_id.filter(|_| !paging::WEBSITE_IGNORED.is_on()))
    }

    /// As a slip: the status or the website is enough.
    fn loosened(mut self) -> Self {
        if paging::WEBSITE_OR_STATUS.is_on() {
            self.sql = self.sql.replacen("website_id = ?2 AND status", "website_id = ?2 OR status", 1);
        }
        self
    }

    /// The page's rows, newest first by `time_column` and id.
    fn rows<T>(
        mut self,
        session: &mut dyn Session,
        time_column: &str,
        page: &'a PageRequest,
        read: impl Fn(&mut Columns<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let offset = page.after.as_ref().filter(|_| paging::BY_OFFSET.is_on());
        let offset = offset.and_then(|after| after.id.strip_prefix("offset:")?.parse::<u64>().ok());
        if let Some(after) = page.after.as_ref().filter(|_| offset.is_none()) {
            let comparison = if paging::INCLUSIVE.is_on() { "<=" } else { "<" };
            let id = if outside::TIES_SKIPPED.is_on() { "'~'" } else { "id" };
            self = self.only(&format!("({time_column}, {id}) {comparison} ("), Some(after.time));
            self.push(",", &after.id);
            self.sql.push(')');
        }
        let is_reversed = match time_column {
            "captured_at" => leads_slip::OLDEST_FIRST.is_on(),
            _ => paging::OLDEST_FIRST.is_on(),
        };
        let order = if is_reversed { "ASC" } else { "DESC" };
        let order_of_ids = if outside::TIES_UPWARDS.is_on() { "ASC" } else { order };
        write!(self.sql, " ORDER BY {time_column} {order}, id {order_of_ids}")
            .expect("writing to a String does not fail");
        self.push(" LIMIT", page.limit);
        if let Some(offset) = offset {
            write!(self.sql, " OFFSET {offset}").expect("writing to a String does not fail");
        }
        session.rows(&self.sql, &self.values, read)
    }
}

fn forgets_account(select: &str) -> bool {
    let forgotten = [
        (isolation::ARTICLES_OF_ALL, "FROM articles"),
        (isolation::LEADS_OF_ALL, "FROM leads"),
        (isolation::POSTS_OF_ALL, "FROM scheduled_posts"),
        (isolation::WEBSITES_OF_ALL, "FROM websites"),
    ];
    forgotten.into_iter().any(|(fault, table)| fault.is_on() && select.contains(table))
}
