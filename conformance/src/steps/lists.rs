//! Steps over lists: one page, a walk, the scheduled post of a job.

use std::sync::Arc;

use chrono::DateTime;
use serde_json::Value;

use super::calls;
use crate::check::{Context, Exchange, Halt, Look, Request, Verdict, demand, ensure};

/// One of the API's lists.
#[derive(Debug, Clone, Copy)]
pub(crate) struct List {
    pub(crate) operation: &'static str,
    pub(crate) path: &'static str,
    pub(crate) id: &'static str,
}

/// The lists of the API.
pub(crate) const LISTS: [List; 4] = [
    ARTICLES,
    List { operation: "list_leads", path: "/leads", id: "id" },
    POSTS,
    List { operation: "list_websites", path: "/websites", id: "website_id" },
];

/// The list of articles.
pub(crate) const ARTICLES: List = List { operation: "list_articles", path: "/articles", id: "id" };

/// The list of scheduled posts.
pub(crate) const POSTS: List = List { operation: "list_scheduled_posts", path: "/scheduled_posts", id: "id" };

impl List {
    /// Returns the list with this path.
    pub(crate) fn named(path: &str) -> Self {
        LISTS.into_iter().find(|list| list.path == path).unwrap_or(POSTS)
    }

    /// Returns a request for one page. `query` has no question mark.
    pub(crate) fn page(self, query: &str) -> Request {
        let path = if query.is_empty() { self.path.to_owned() } else { format!("{}?{query}", self.path) };
        Request::new(self.operation, "GET", &path)
    }

    /// Returns the ids of the items of a page.
    pub(crate) fn ids(self, page: &Value) -> Vec<String> {
        rows(page).iter().filter_map(|row| row[self.id].as_str().map(ToOwned::to_owned)).collect()
    }
}

/// Returns the items of a page.
pub(crate) fn rows(page: &Value) -> &[Value] {
    page["items"].as_array().map_or(&[], Vec::as_slice)
}

/// Returns the token of the next page.
pub(crate) fn next_of(page: &Value) -> Option<&str> {
    page["next_page"].as_str()
}

/// Requests a page and demands 200.
pub(crate) async fn page(context: &Context, list: List, query: &str) -> Result<Arc<Exchange>, Halt> {
    let exchange = context.send(list.page(query)).await?;
    demand::status(&exchange, 200)?;
    is_page(&exchange)?;
    Ok(exchange)
}

/// Demands that the response is a page.
pub(crate) fn is_page(exchange: &Exchange) -> Verdict {
    ensure(demand::json(exchange)?["items"].is_array(), "a page with an array `items`", || demand::seen(exchange))
}

/// Follows `next_page` from the first page of `query`, until `is_enough` of the ids, the end of the list, or `pages` pages. Returns the
/// ids in order, and whether the end was reached.
pub(crate) async fn walk(
    context: &Context,
    list: List,
    query: &str,
    pages: usize,
    is_enough: impl Fn(&[String]) -> bool,
) -> Result<(Vec<String>, bool), Halt> {
    let mut ids = Vec::new();
    let mut next = query.to_owned();
    for _ in 0..pages {
        let exchange = page(context, list, &next).await?;
        let body = demand::json(&exchange)?;
        ids.extend(list.ids(body));
        match next_of(body) {
            None => return Ok((ids, true)),
            Some(_) if is_enough(&ids) => break,
            Some(token) => next = with_token(query, token),
        }
    }
    Ok((ids, false))
}

/// Adds to `fault` that the last page of the case with the item `id` shows it, whatever was sent since.
pub(crate) fn shown_by_page(context: &Context, list: List, id: &str, fault: Halt) -> Halt {
    let trace = context.trace();
    let holds = |page: &Value| list.ids(page).iter().any(|row| row == id);
    let mut pages = trace.iter().rev().filter(|exchange| exchange.request.operation == Some(list.operation));
    match pages.find(|exchange| exchange.json().is_some_and(holds)) {
        Some(page) => fault.about(page),
        None => fault,
    }
}

/// Number of pages that are searched for items of a check: the newest eight hundred items.
const LOOKED_THROUGH: usize = 8;

/// Returns the `wanted` items on the first pages of `query`.
pub(crate) async fn found(
    context: &Context,
    list: List,
    query: &str,
    wanted: impl Fn(&Value) -> bool,
) -> Result<Vec<Value>, Halt> {
    let mut found = Vec::new();
    let mut next = query.to_owned();
    for _ in 0..LOOKED_THROUGH {
        let exchange = page(context, list, &next).await?;
        let body = demand::json(&exchange)?;
        found.extend(rows(body).iter().filter(|row| wanted(row)).cloned());
        match next_of(body) {
            Some(token) => next = with_token(query, token),
            None => break,
        }
    }
    Ok(found)
}

/// Demands that the item with this id is in the first pages of `query` after a moment, or that it is not.
pub(crate) async fn shows(context: &Context, list: List, query: &str, id: &str, expected: bool) -> Verdict {
    let word = if expected { "in" } else { "not in" };
    let look = || async move {
        let found = found(context, list, query, |row| row[list.id] == id).await?;
        Ok(Look::at(found.is_empty() != expected, || {
            let observed = found.first().map_or_else(|| "no such item".to_owned(), demand::brief);
            Halt::fail(format!("the item {word} {}?{query}", list.path), observed)
        }))
    };
    context.eventually(context.grace(), look).await
}

/// Returns `query` with a page token, percent-encoded.
pub(crate) fn with_token(query: &str, token: &str) -> String {
    let encoded: String = url::form_urlencoded::byte_serialize(token.as_bytes()).collect();
    if query.is_empty() { format!("page_token={encoded}") } else { format!("{query}&page_token={encoded}") }
}

/// Maximum number of pages of 100 that are searched for the scheduled post of a job.
const PIPELINE_PAGES: usize = 200;
/// Maximum difference between the clocks of the target and of the suite, in seconds.
const CLOCKS: i64 = 300;

/// Returns the scheduled posts of a job. Searches those that were made since the run began.
pub(crate) async fn entries_of(context: &Context, job_id: &str) -> Result<Vec<Value>, Halt> {
    let is_of_run = |row: &Value| {
        let made = row["created_at"].as_str().and_then(|text| DateTime::parse_from_rfc3339(text).ok());
        made.is_none_or(|made| made.timestamp() >= context.facts().started - CLOCKS)
    };
    let base = format!("limit=100&website_id={}", calls::segment(&context.facts().website_id));
    let mut query = base.clone();
    for _ in 0..PIPELINE_PAGES {
        let exchange = page(context, POSTS, &query).await?;
        let body = demand::json(&exchange)?;
        let found: Vec<Value> = rows(body).iter().filter(|row| row["job_id"] == job_id).cloned().collect();
        // A page may be empty while another follows.
        let goes_on = found.is_empty() && rows(body).last().is_none_or(is_of_run);
        match next_of(body) {
            Some(next) if goes_on => query = with_token(&base, next),
            _ => return Ok(found),
        }
    }
    Err(Halt::inconclusive(format!("no scheduled post of the job on the first {PIPELINE_PAGES} pages")))
}

/// Makes items until the list has `count` of them, if the suite can make such items.
///
/// # Errors
/// `Unmet` if the list stays empty.
pub(crate) async fn ensure_rows(context: &Context, list: List, count: usize) -> Result<(), Halt> {
    let exchange = page(context, list, &format!("limit={count}")).await?;
    let there = rows(demand::json(&exchange)?).len();
    match list.path {
        // Concurrently, because writing takes time.
        "/articles" => {
            let body = calls::quiet_request(context, "Choosing a good notebook");
            futures::future::try_join_all((there..count).map(|_| calls::written(context, &body))).await?;
        }
        "/scheduled_posts" => {
            for _ in there..count {
                let body = calls::quiet_request(context, "Rows for the pipeline");
                let queued = context.send(calls::generate(&body)).await?;
                demand::success(&queued)?;
                calls::discard(context, &queued).await?;
            }
        }
        "/leads" if context.facts().capture.is_some() => {
            for number in there..count {
                let email = format!("{}@example.com", context.fresh("row"));
                calls::capture(context, &email, &format!("Row {number}"), "hello").await?;
            }
        }
        _ => {}
    }
    let can_be_made = list.path != "/websites" && (list.path != "/leads" || context.facts().capture.is_some());
    let wanted = if can_be_made { count } else { 1 };
    // A new item may take a moment to be listed.
    let look = || async move {
        let exchange = page(context, list, &format!("limit={count}")).await?;
        let body = demand::json(&exchange)?;
        // A page may be short or empty while another follows.
        let has_more = next_of(body).is_some();
        Ok(Look::at(has_more || rows(body).len() >= wanted, || match rows(body).len() {
            0 => Halt::Unmet(format!("{} has no item to check", list.path)),
            there => Halt::inconclusive(format!("{} has only {there} items", list.path)),
        }))
    };
    // Other requirements find out why a list stays short.
    match context.eventually(context.grace(), look).await {
        Err(Halt::Inconclusive(_)) => Ok(()),
        waited => waited,
    }
}
