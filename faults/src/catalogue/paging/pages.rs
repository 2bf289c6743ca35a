//! Builds pages for faults, and remembers the page tokens returned so far.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::parameters::{filters_of, is_page, single};
use crate::edge::Exchange;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, parse_time};

/// Default number of rows on a page.
const DEFAULT_LIMIT: usize = 20;
/// Maximum number of pages of 100 rows to read of a list.
const MOST_PAGES: usize = 200;

/// Names and values of filters.
pub(in crate::catalogue) type Filters = Vec<(String, String)>;

/// Place in a list that a returned token stands for.
#[derive(Debug, Clone, Default)]
pub(in crate::catalogue) struct Place {
    /// Path of its list.
    pub(in crate::catalogue) path: String,
    /// Key that received the token.
    pub(in crate::catalogue) key: String,
    /// Filters of its first page.
    pub(in crate::catalogue) filters: Filters,
    /// Last row before the page.
    pub(in crate::catalogue) last: Value,
    /// Number of rows before the page.
    pub(in crate::catalogue) offset: usize,
    /// True if the fault made the token, so that the server does not know it.
    pub(in crate::catalogue) is_own: bool,
}

impl Place {
    /// Returns the place of a request's token, if that token was returned before.
    pub(in crate::catalogue) fn of(request: &Request, memory: &Memory) -> Option<Self> {
        let kept = memory.get(&slot(&single(request, "page_token")?))?;
        let text = |name: &str| kept[name].as_str().unwrap_or_default().to_owned();
        let filters = serde_json::from_value(kept["filters"].clone()).unwrap_or_default();
        let offset = kept["offset"].as_u64().and_then(|offset| usize::try_from(offset).ok()).unwrap_or(0);
        let (last, is_own) = (kept["last"].clone(), kept["is_own"] == true);
        Some(Self { path: text("path"), key: text("key"), filters, last, offset, is_own })
    }

    fn keep(&self, token: &str, memory: &Memory) {
        let Self { path, key, filters, last, offset, is_own } = self;
        let list =
            json!({ "path": path, "key": key, "filters": filters, "last": last, "offset": offset, "is_own": is_own });
        memory.put(&slot(token), list);
    }
}

fn slot(token: &str) -> String {
    format!("token: {token}")
}

/// Returns the filters of a request as they were sent.
pub(in crate::catalogue) fn sent_filters(request: &Request) -> Filters {
    let known = filters_of(request);
    request.parameters().into_iter().filter(|(name, _)| known.contains(&name.as_str())).collect()
}

/// Returns a filter from the request or from its token.
pub(in crate::catalogue) fn filter_in_force(request: &Request, memory: &Memory, name: &str) -> Option<String> {
    let carried = || Place::of(request, memory)?.filters.into_iter().find(|(found, _)| found == name);
    single(request, name).or_else(|| carried().map(|(_, value)| value))
}

/// Remembers the place of a page's token.
pub(in crate::catalogue) fn note(response: &Response, request: &Request, memory: &Memory) {
    let Some(page) = response.json().filter(|_| is_page(request) && response.is_success()) else { return };
    let Some(token) = page["next_page"].as_str() else { return };
    let before = Place::of(request, memory).unwrap_or_default();
    let rows = rows_of(&page);
    let mut filters = before.filters;
    filters.extend(sent_filters(request));
    filters.sort();
    filters.dedup();
    let last = rows.last().cloned().unwrap_or(before.last);
    let key = request.key().unwrap_or_default().to_owned();
    let offset = before.offset + rows.len();
    Place { path: request.path.clone(), key, filters, last, offset, is_own: false }.keep(token, memory);
}

/// Returns the rows of a page.
pub(in crate::catalogue) fn rows_of(page: &Value) -> &[Value] {
    page["items"].as_array().map_or(&[], Vec::as_slice)
}

/// Returns the id of a row.
pub(in crate::catalogue) fn id_of(row: &Value) -> &str {
    row["id"].as_str().or_else(|| row["website_id"].as_str()).unwrap_or_default()
}

/// Returns the time by which a list is sorted.
pub(in crate::catalogue) fn time_of(row: &Value) -> Option<DateTime<Utc>> {
    parse_time(row["captured_at"].as_str().or_else(|| row["created_at"].as_str())?)
}

/// Keeps only some rows of a page.
pub(in crate::catalogue) fn retain_rows(response: &mut Response, keep: impl FnMut(&Value) -> bool) {
    response.edit(|page| {
        if let Some(rows) = page.get_mut("items").and_then(Value::as_array_mut) {
            rows.retain(keep);
        }
    });
}

/// Sets the token of the next page, or ends the list with this page.
pub(in crate::catalogue) fn lead_on(response: &mut Response, request: &Request, token: Option<&str>) {
    response.edit(|page| page["next_page"] = json!(token));
    match token {
        Some(token) => link(response, request, token),
        None => response.remove("link"),
    }
}

/// Removes the rows and the next page of a page.
pub(in crate::catalogue) fn empty(response: &mut Response, request: &Request) {
    response.edit(|page| page["items"] = json!([]));
    lead_on(response, request, None);
}

/// Writes the caller's query into Link, for faults that sent another one.
pub(in crate::catalogue) fn link_as_asked(response: &mut Response, request: &Request, _: &Memory) {
    let token = response.text("/next_page").filter(|_| response.header("link").is_some() && is_page(request));
    if let Some(token) = token {
        link(response, request, &token);
    }
}

fn link(response: &mut Response, request: &Request, token: &str) {
    let mut next = request.clone();
    next.remove_parameter("page_token");
    next.set_parameter("page_token", token);
    response.set_next_link(&next);
}

/// Returns the websites that a key sees.
pub(in crate::catalogue) async fn websites_of(exchange: &Exchange, key: &str) -> Vec<Value> {
    all_rows(exchange, "/api/v1/websites", key, &[]).await.unwrap_or_default()
}

/// Returns every row of a list for a key; `None` if the server does not show them.
pub(in crate::catalogue) async fn all_rows(
    exchange: &Exchange,
    path: &str,
    key: &str,
    filters: &[(String, String)],
) -> Option<Vec<Value>> {
    newest_rows(exchange, path, key, filters, usize::MAX).await
}

/// Returns at least that many rows from the beginning of a list, if they exist.
pub(in crate::catalogue) async fn newest_rows(
    exchange: &Exchange,
    path: &str,
    key: &str,
    filters: &[(String, String)],
    count: usize,
) -> Option<Vec<Value>> {
    let mut request = Request::get(path).with_key(key);
    request.set_parameters(filters);
    request.set_parameter("limit", "100");
    let mut rows = Vec::new();
    for _ in 0..MOST_PAGES {
        let page = exchange.send(request.clone()).await;
        let body = page.json().filter(|_| page.is_success())?;
        rows.extend_from_slice(rows_of(&body));
        match body["next_page"].as_str().filter(|_| rows.len() < count) {
            Some(token) => request.set_parameter("page_token", token),
            None => break,
        }
    }
    Some(rows)
}

/// A requested list.
#[derive(Debug, Clone)]
pub(in crate::catalogue) struct Listing {
    /// Filters in force.
    pub(in crate::catalogue) filters: Filters,
    /// Place at which the page begins; `None` is the beginning of the list.
    pub(in crate::catalogue) from: Option<Place>,
}

impl Listing {
    /// Returns the requested list; `None` if the server has to judge the request.
    pub(in crate::catalogue) fn asked(exchange: &Exchange) -> Option<Self> {
        let request = &exchange.request;
        if !is_page(request) || request.key().is_none() {
            return None;
        }
        let sent = sent_filters(request);
        if request.parameter("page_token").is_none() {
            return Some(Self { filters: sent, from: None });
        }
        let from = Place::of(request, &exchange.memory)?;
        let fits = from.path == request.path && sent.iter().all(|filter| from.filters.contains(filter));
        fits.then(|| Self { filters: from.filters.clone(), from: Some(from) })
    }

    /// Returns the rows that the caller sees.
    pub(in crate::catalogue) async fn rows(&self, exchange: &Exchange) -> Option<Vec<Value>> {
        all_rows(exchange, &exchange.request.path, exchange.request.key()?, &self.filters).await
    }

    /// Returns the page of `rows` that begins at `begin`. The server checks limit and filters, and provides the
    /// headers.
    pub(in crate::catalogue) async fn page(&self, exchange: &Exchange, rows: &[Value], begin: usize) -> Response {
        let mut first = exchange.request.clone();
        first.remove_parameter("page_token");
        for (name, value) in &self.filters {
            first.set_parameter(name, value);
        }
        let mut response = exchange.send(first).await;
        if !response.is_success() {
            return response;
        }
        let limit = single(&exchange.request, "limit").and_then(|limit| limit.parse().ok()).unwrap_or(DEFAULT_LIMIT);
        let begin = begin.min(rows.len());
        let end = (begin + limit).min(rows.len());
        response.edit(|page| page["items"] = json!(rows[begin..end]));
        let token = (end < rows.len()).then(|| self.token(exchange, rows, end));
        lead_on(&mut response, &exchange.request, token.as_deref());
        response
    }

    /// Returns a token for the rows from `end` on.
    pub(in crate::catalogue) fn token(&self, exchange: &Exchange, rows: &[Value], end: usize) -> String {
        let place = Place {
            path: exchange.request.path.clone(),
            key: exchange.request.key().unwrap_or_default().to_owned(),
            filters: self.filters.clone(),
            last: end.checked_sub(1).and_then(|at| rows.get(at)).cloned().unwrap_or_default(),
            offset: end,
            is_own: true,
        };
        let digest = Sha256::digest(format!("{place:?}"));
        let token = URL_SAFE_NO_PAD.encode(digest);
        place.keep(&token, &exchange.memory);
        token
    }
}

/// Responds with pages of the rows in the order of `arrange`. `begin` returns the index at which the page after a place
/// begins.
pub(in crate::catalogue) async fn arranged(
    exchange: Exchange,
    arrange: fn(&Listing, &mut Vec<Value>),
    begin: fn(&[Value], &Place) -> usize,
) -> Response {
    let Some(listing) = Listing::asked(&exchange) else { return exchange.forward().await };
    let Some(mut rows) = listing.rows(&exchange).await else { return exchange.forward().await };
    if !may_go_on(&exchange, &listing, &rows) {
        return exchange.forward().await;
    }
    arrange(&listing, &mut rows);
    let begin = listing.from.as_ref().map_or(0, |place| begin(&rows, place));
    listing.page(&exchange, &rows, begin).await
}

/// Returns true if the caller may continue at a place: it received the token or sees the row.
pub(in crate::catalogue) fn may_go_on(exchange: &Exchange, listing: &Listing, rows: &[Value]) -> bool {
    listing.from.as_ref().is_none_or(|place| {
        exchange.request.key() == Some(&place.key) || rows.iter().any(|row| id_of(row) == id_of(&place.last))
    })
}

/// Same for one list only. Forwards requests for other lists.
pub(in crate::catalogue) async fn arranged_if(
    operation: Operation,
    exchange: Exchange,
    arrange: fn(&Listing, &mut Vec<Value>),
    begin: fn(&[Value], &Place) -> usize,
) -> Response {
    if exchange.request.is(operation) { arranged(exchange, arrange, begin).await } else { exchange.forward().await }
}

/// Returns the index after the last row, or of the first older row if the last one is gone.
pub(in crate::catalogue) fn behind_last(rows: &[Value], place: &Place) -> usize {
    let at = rows.iter().position(|row| id_of(row) == id_of(&place.last));
    let older = || rows.iter().position(|row| time_of(row) < time_of(&place.last));
    at.map(|at| at + 1).or_else(older).unwrap_or(rows.len())
}

/// Returns the page after a place, with these filters.
pub(in crate::catalogue) async fn continued(exchange: &Exchange, place: Place, filters: Filters) -> Response {
    let listing = Listing { filters, from: Some(place.clone()) };
    let Some(rows) = listing.rows(exchange).await else { return exchange.forward().await };
    listing.page(exchange, &rows, behind_last(&rows, &place)).await
}

/// Drops rows from a page after the first: those for which `is_lost` is true with their time and the time of the
/// previous page's last row.
pub(in crate::catalogue) fn lose_rows(
    response: &mut Response,
    request: &Request,
    memory: &Memory,
    is_lost: fn(DateTime<Utc>, DateTime<Utc>) -> bool,
) {
    if let Some(end) = Place::of(request, memory).and_then(|place| time_of(&place.last)) {
        retain_rows(response, |row| !time_of(row).is_some_and(|time| is_lost(time, end)));
    }
    note(response, request, memory);
}
