//! Faults in page tokens: contents, lists and keys they are valid for, and reuse.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::pages::{self, Filters, Place, continued, link_as_asked, sent_filters};
use super::parameters::{TIMES, is_page, refuse, single, valid};
use crate::edge::Exchange;
use crate::memory::Memory;
use crate::message::{Request, Response};

/// Number of recent tokens with which a changed token is compared.
const REMEMBERED: usize = 300;

pub(super) const FAULTS: &[Fault] = &[
    fault("paging.token-unsigned", "The server accepts changed page tokens.", &["pages.token.altered"])
        .request(misread_token)
        .response(remember_token),
    fault("paging.token-loses-filters", "The next page ignores the filters.", &["pages.token.carries-filters"])
        .exchange(|exchange| forgetting(exchange, |_| true).boxed()),
    fault("paging.token-loses-times", "The next page ignores the filters by time.", &["pages.token.carries-times"])
        .exchange(|exchange| forgetting(exchange, |name| TIMES.contains(&name)).boxed()),
    fault("paging.token-loses-article", "The next page of leads ignores article_id.", &["pages.token.carries-article"])
        .exchange(|exchange| forgetting(exchange, |name| name == "article_id").boxed()),
    fault(
        "paging.token-other-filters",
        "The server accepts a page token with other filters.",
        &["pages.token.other-filters"],
    )
    .exchange(|exchange| other_filters(exchange).boxed()),
    fault("paging.token-of-any-list", "The server accepts a page token of another list.", &["pages.token.other-list"])
        .exchange(|exchange| of_any_list(exchange).boxed()),
    fault("paging.token-once", "The server accepts a page token only once.", &["pages.token.repeatable"]).request(
        |request, memory| {
            if single(request, "page_token").is_some_and(|token| !memory.is_first(&token)) {
                request.set_parameter("page_token", "used");
            }
        },
    ),
    fault("paging.token-carries-limit", "All pages have the limit of the first page.", &["pages.token.repeatable"])
        .request(|request, memory| {
            let is_bad = request.parameter("limit").is_some() && valid(request, "limit").is_none();
            if let Some(limit) = carried_limit(request, memory).filter(|_| !is_bad) {
                request.set_parameter("limit", &limit);
            }
        })
        .response(carry_limit),
    fault("paging.token-bad-is-first", "An invalid page token gets the first page.", &["pages.token.made-up"])
        .exchange(|exchange| bad_is_first(exchange).boxed()),
    fault("paging.token-bad-is-422", "An invalid page token gets 422.", &["pages.token.made-up"]).response(
        |response, request, _| {
            if response.code().as_deref() == Some("invalid_page_token") {
                *response = refuse(response, request, "page_token", "it is unknown");
            }
        },
    ),
    fault(
        "paging.token-before-limit",
        "The server checks the page token before the limit.",
        &["pages.token.with-bad-limit"],
    )
    .exchange(|exchange| before_limit(exchange).boxed()),
];

/// Returns the known token that differs from this one in a single letter.
fn misread_token(request: &mut Request, memory: &Memory) {
    let (Some(sent), Some(known)) = (single(request, "page_token"), memory.get("tokens")) else { return };
    let known: Vec<&str> = known.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let is_near = |token: &&str| {
        token.chars().count() == sent.chars().count()
            && token.chars().zip(sent.chars()).filter(|(one, other)| one != other).count() == 1
    };
    if let Some(token) = known.iter().copied().find(is_near).filter(|_| !known.contains(&sent.as_str())) {
        request.set_parameter("page_token", token);
    }
}

fn remember_token(response: &mut Response, request: &Request, memory: &Memory) {
    let Some(token) = response.text("/next_page").filter(|_| is_page(request)) else { return };
    let mut known = memory.get("tokens").and_then(|known| known.as_array().cloned()).unwrap_or_default();
    known.retain(|other| *other != token.as_str());
    known.insert(0, json!(token));
    known.truncate(REMEMBERED);
    memory.put("tokens", known);
}

/// Continues after a token without the filters it should contain.
async fn forgetting(exchange: Exchange, is_lost: fn(&str) -> bool) -> Response {
    let request = &exchange.request;
    let Some(place) = Place::of(request, &exchange.memory).filter(|place| place.path == request.path) else {
        return noted(&exchange).await;
    };
    let sent = sent_filters(request);
    let mut filters: Filters = place.filters.iter().filter(|(name, _)| !is_lost(name)).cloned().collect();
    let is_other = sent.iter().any(|filter| !is_lost(&filter.0) && !filters.contains(filter));
    filters.extend(sent.into_iter().filter(|(name, _)| is_lost(name)));
    if is_other || (!place.is_own && filters == place.filters) || !is_of_caller(&exchange, &place) {
        return noted(&exchange).await;
    }
    continued(&exchange, place, filters).await
}

async fn other_filters(exchange: Exchange) -> Response {
    let request = &exchange.request;
    let Some(place) = Place::of(request, &exchange.memory).filter(|place| place.path == request.path) else {
        return noted(&exchange).await;
    };
    let sent = sent_filters(request);
    let is_other = sent.iter().any(|filter| !place.filters.contains(filter));
    if !(is_other || place.is_own) || !is_of_caller(&exchange, &place) {
        return noted(&exchange).await;
    }
    let filters = if is_other { sent } else { place.filters.clone() };
    continued(&exchange, place, filters).await
}

async fn of_any_list(exchange: Exchange) -> Response {
    let request = &exchange.request;
    let Some(place) = Place::of(request, &exchange.memory) else { return noted(&exchange).await };
    if !(place.is_own || place.path != request.path) || !is_of_caller(&exchange, &place) {
        return noted(&exchange).await;
    }
    let filters = if place.path == request.path { place.filters.clone() } else { sent_filters(request) };
    continued(&exchange, place, filters).await
}

fn is_of_caller(exchange: &Exchange, place: &Place) -> bool {
    is_page(&exchange.request) && exchange.request.key() == Some(&place.key)
}

/// Forwards the request, and remembers the place of the page's token.
async fn noted(exchange: &Exchange) -> Response {
    let response = exchange.forward().await;
    pages::note(&response, &exchange.request, &exchange.memory);
    response
}

fn carried_limit(request: &Request, memory: &Memory) -> Option<String> {
    memory.text(&format!("limit of {}", single(request, "page_token")?))
}

fn carry_limit(response: &mut Response, request: &Request, memory: &Memory) {
    let Some(token) = response.text("/next_page").filter(|_| is_page(request)) else { return };
    let limit = carried_limit(request, memory).or_else(|| valid(request, "limit")).unwrap_or_else(|| "20".to_owned());
    memory.put(&format!("limit of {token}"), limit);
    link_as_asked(response, request, memory);
}

async fn bad_is_first(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    if response.code().as_deref() != Some("invalid_page_token") {
        return response;
    }
    let mut first = exchange.request.clone();
    first.remove_parameter("page_token");
    exchange.send(first).await
}

async fn before_limit(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    if response.status != 422 || single(&exchange.request, "page_token").is_none() {
        return response;
    }
    let mut without = exchange.request.clone();
    without.remove_parameter("limit");
    let other = exchange.send(without).await;
    if other.code().as_deref() == Some("invalid_page_token") { other } else { response }
}
