//! Page tokens: what they stand for, and who may use them where and how often.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::pages::{self, Filters, Place, continued, link_as_asked, sent_filters};
use super::parameters::{TIMES, is_page, refuse, single, valid};
use crate::edge::Exchange;
use crate::memory::Memory;
use crate::message::{Request, Response};

/// How many of the tokens given out last are known to who does not look at every letter.
const REMEMBERED: usize = 300;

pub(super) const FAULTS: &[Fault] = &[
    fault("paging.token-unsigned", "Tokens are not protected against change.", &["pages.token.altered"])
        .request(misread_token)
        .response(remember_token),
    fault("paging.token-loses-filters", "The next page forgets the filters.", &["pages.token.carries-filters"])
        .exchange(|exchange| forgetting(exchange, |_| true).boxed()),
    fault("paging.token-loses-times", "The next page forgets the filters by time.", &["pages.token.carries-times"])
        .exchange(|exchange| forgetting(exchange, |name| TIMES.contains(&name)).boxed()),
    fault(
        "paging.token-loses-article",
        "The next page of leads forgets the article.",
        &["pages.token.carries-article"],
    )
    .exchange(|exchange| forgetting(exchange, |name| name == "article_id").boxed()),
    fault("paging.token-other-filters", "A token is accepted with other filters.", &["pages.token.other-filters"])
        .exchange(|exchange| other_filters(exchange).boxed()),
    fault("paging.token-of-any-list", "A token is accepted by other lists.", &["pages.token.other-list"])
        .exchange(|exchange| of_any_list(exchange).boxed()),
    fault("paging.token-once", "A token can be used once.", &["pages.token.repeatable"]).request(|request, memory| {
        if single(request, "page_token").is_some_and(|token| !memory.is_first(&token)) {
            request.set_parameter("page_token", "used");
        }
    }),
    fault("paging.token-carries-limit", "The limit of the first page counts for all.", &["pages.token.repeatable"])
        .request(|request, memory| {
            let is_bad = request.parameter("limit").is_some() && valid(request, "limit").is_none();
            if let Some(limit) = carried_limit(request, memory).filter(|_| !is_bad) {
                request.set_parameter("limit", &limit);
            }
        })
        .response(carry_limit),
    fault("paging.token-bad-is-first", "A bad token gives the first page.", &["pages.token.made-up"])
        .exchange(|exchange| bad_is_first(exchange).boxed()),
    fault("paging.token-bad-is-422", "A bad token is answered 422.", &["pages.token.made-up"]).response(
        |response, request, _| {
            if response.code().as_deref() == Some("invalid_page_token") {
                *response = refuse(response, request, "page_token", "it is unknown");
            }
        },
    ),
    fault("paging.token-before-limit", "The token is checked before the limit.", &["pages.token.with-bad-limit"])
        .exchange(|exchange| before_limit(exchange).boxed()),
];

/// The token that was given out, for one that differs from it in a letter.
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

/// Goes on behind a token without the filters that it should carry.
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

/// Forwards, and remembers what the token of the page stands for.
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
