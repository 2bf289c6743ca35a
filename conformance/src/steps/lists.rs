//! Steps over lists: one page, a walk, a search for items, filters.

use std::sync::Arc;

use serde_json::Value;

use super::calls;
use super::paths::segment;
use crate::check::{Context, Credential, Exchange, Halt, Look, Request, Verdict, demand, ensure};

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

/// Maximum number of pages that are searched.
const MAX_PAGES: usize = 100;

/// Returns the first wanted row of `query` in the list that the key can read.
pub(crate) async fn row(
    context: &Context,
    list: List,
    query: &str,
    credential: Credential,
    wanted: impl Fn(&Value) -> bool,
) -> Result<Option<Value>, Halt> {
    let mut next = query.to_owned();
    for _ in 0..MAX_PAGES {
        let exchange = context.send(list.page(&next).by(credential.clone())).await?;
        demand::status(&exchange, 200)?;
        let page = demand::json(&exchange)?;
        if let Some(found) = rows(page).iter().find(|row| wanted(row)) {
            return Ok(Some(found.clone()));
        }
        match next_of(page) {
            Some(token) => next = with_token(query, token),
            None => break,
        }
    }
    Ok(None)
}

/// Returns the website under test, as the list of websites shows it.
pub(crate) async fn own_website(context: &Context) -> Result<Value, Halt> {
    let id = &context.facts().website_id;
    let list = List::named("/websites");
    let found = row(context, list, "limit=100", Credential::Main, |row| row[list.id] == id.as_str()).await?;
    found.ok_or_else(|| Halt::inconclusive(format!("the website {id} is not in the list of websites")))
}

/// A filter: its name, a value that matches the item, and one that does not.
pub(crate) type Filter = (&'static str, String, String);

/// Demands that the list contains the item `id` with all matching filters, and not with a matching and another filter together.
pub(crate) async fn each_counts(context: &Context, list: List, id: &str, filters: &[Filter]) -> Verdict {
    let all: Vec<String> = filters.iter().map(|(name, matching, _)| format!("{name}={matching}")).collect();
    shows(context, list, &format!("limit=100&{}", all.join("&")), id, true).await?;
    for (name, matching, _) in filters {
        for (second, _, other) in filters.iter().filter(|(second, ..)| second != name) {
            shows(context, list, &format!("limit=100&{name}={matching}&{second}={other}"), id, false).await?;
        }
    }
    Ok(())
}

/// Returns the filter by the website under test; the other value is an id that no website has.
pub(crate) fn of_website(context: &Context) -> Filter {
    ("website_id", segment(&context.facts().website_id), "web_unknown_to_everyone".to_owned())
}

/// Returns the list that a case names.
pub(crate) fn list_of(case: &Value) -> List {
    List::named(case.as_str().or_else(|| case["list"].as_str()).unwrap_or_default())
}
