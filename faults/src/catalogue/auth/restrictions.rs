//! Keys that are restricted to some websites of their account.

use futures::future::FutureExt;

use super::super::fault::{Fault, fault};
use super::super::idempotency::key;
use super::super::paging::pages::{empty, id_of, websites_of};
use super::super::refusals;
use crate::edge::Exchange;
use crate::message::{Operation, Response};

const ORDERS: &[&str] = &["auth.restricted-key.orders"];
const RECORDS: &[&str] = &["auth.restricted-key.records"];
const LISTS: &[&str] = &["auth.restricted-key.lists"];

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "auth.restriction-not-for-orders",
        "A restricted key can request articles for every website of its account.",
        ORDERS,
    )
    .exchange(|exchange| unrestricted(exchange, |operation| operation == Operation::Generate).boxed()),
    fault("auth.restriction-is-403", "A website outside the key's restriction gets 403.", ORDERS)
        .exchange(|exchange| is_403(exchange).boxed()),
    fault(
        "auth.restriction-lost-by-replay",
        "A restricted key gets the replay of a request by another key of its account.",
        ORDERS,
    )
    .exchange(|exchange| replayed(exchange).boxed()),
    fault(
        "auth.restriction-idempotency-shared",
        "An idempotency key that was used for one website is refused for every other website of the account.",
        &["auth.restricted-key.idempotency"],
    )
    .exchange(|exchange| shared_key(exchange).boxed()),
    fault(
        "auth.restriction-idempotency-first",
        "An invalid request for a website that the key may not use is compared with the first request with its idempotency key.",
        &["auth.restricted-key.idempotency"],
    )
    .exchange(|exchange| key_first(exchange).boxed()),
    fault("auth.restriction-not-for-jobs", "A restricted key reads the jobs of every website of its account.", RECORDS)
        .exchange(|exchange| unrestricted(exchange, |operation| operation == Operation::GetJob).boxed()),
    fault(
        "auth.restriction-not-for-cancels",
        "A restricted key cancels jobs of every website of its account.",
        RECORDS,
    )
    .exchange(|exchange| unrestricted(exchange, |operation| operation == Operation::CancelJob).boxed()),
    fault(
        "auth.restriction-not-for-articles",
        "A restricted key reads the articles of every website of its account.",
        RECORDS,
    )
    .exchange(|exchange| unrestricted(exchange, |operation| operation == Operation::GetArticle).boxed()),
    fault(
        "auth.restriction-not-for-leads",
        "A restricted key reads the leads of every website of its account.",
        &["auth.restricted-key.leads"],
    )
    .exchange(|exchange| unrestricted(exchange, |operation| operation == Operation::GetLead).boxed()),
    fault(
        "auth.restriction-not-for-entries",
        "A restricted key reads the scheduled posts of every website of its account.",
        &["auth.restricted-key.posts"],
    )
    .exchange(|exchange| unrestricted(exchange, |operation| operation == Operation::GetScheduledPost).boxed()),
    fault("auth.restriction-not-for-lists", "A list shows a restricted key every row of its account.", LISTS)
        .exchange(|exchange| unrestricted(exchange, Operation::is_list).boxed()),
    fault("auth.restriction-lost-by-filter", "A filter by website replaces the restriction of the key.", LISTS)
        .exchange(|exchange| lost_by(exchange, "website_id").boxed()),
    fault(
        "auth.restriction-lost-by-token",
        "A page token keeps the website restriction of the key that created it.",
        &["auth.restricted-key.tokens"],
    )
    .exchange(|exchange| lost_by(exchange, "page_token").boxed()),
    fault("auth.restriction-without-entries", "A restricted key gets empty lists.", &["auth.restricted-key.own"])
        .exchange(|exchange| shut_out(exchange).boxed()),
];

/// Returns a less restricted key of the same account; `None` if the caller's key is not restricted.
async fn wider_key(exchange: &Exchange) -> Option<String> {
    let own = exchange.request.key()?;
    let slot = format!("wider than {own}");
    if let Some(known) = exchange.memory.text(&slot) {
        return Some(known);
    }
    let seen = websites_of(exchange, own).await;
    for key in exchange.memory.world.keys().into_iter().filter(|key| key != own) {
        let others = websites_of(exchange, &key).await;
        let holds_all = seen.iter().all(|row| others.iter().any(|other| id_of(other) == id_of(row)));
        if !seen.is_empty() && holds_all && others.len() > seen.len() {
            exchange.memory.put(&slot, key.as_str());
            return Some(key);
        }
    }
    None
}

async fn unrestricted(exchange: Exchange, concerns: fn(Operation) -> bool) -> Response {
    let is_concerned = exchange.request.operation().is_some_and(concerns);
    match wider_key(&exchange).await.filter(|_| is_concerned) {
        Some(key) => exchange.send_as(&key).await,
        None => exchange.forward().await,
    }
}

async fn is_403(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    let is_refused =
        exchange.request.is(Operation::Generate) && response.code().as_deref() == Some("website_not_found");
    if is_refused && wider_key(&exchange).await.is_some() {
        return refusals::in_place_of(&response, 403, "insufficient_scope", "Insufficient scope");
    }
    response
}

async fn replayed(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    let Some(slot) = key::key(&exchange.request).map(|key| format!("queued under {key}")) else { return response };
    if response.is_success() {
        exchange.memory.put(&slot, true);
    }
    if response.code().as_deref() != Some("website_not_found") || exchange.memory.get(&slot).is_none() {
        return response;
    }
    match wider_key(&exchange).await {
        Some(key) => exchange.send_as(&key).await,
        None => response,
    }
}

async fn shared_key(exchange: Exchange) -> Response {
    let website = exchange.request.json().map(|body| body["website_id"].clone());
    let slot = key::key(&exchange.request).map(|key| format!("website of {key}"));
    let (Some(website), Some(slot)) = (website, slot) else { return exchange.forward().await };
    let response = exchange.forward().await;
    if !response.is_success() {
        return response;
    }
    if exchange.memory.get_or_put(&slot, website.clone()) == website {
        return response;
    }
    refusals::in_place_of(&response, 422, "idempotency_mismatch", "Idempotency key reused")
}

async fn key_first(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    let Some(slot) = key::key(&exchange.request).map(|key| format!("queued under {key}")) else { return response };
    if response.is_success() {
        exchange.memory.put(&slot, true);
    }
    let is_invalid = response.code().as_deref() == Some("validation_failed");
    if is_invalid && exchange.memory.get(&slot).is_some() && wider_key(&exchange).await.is_some() {
        return refusals::in_place_of(&response, 422, "idempotency_mismatch", "Idempotency key reused");
    }
    response
}

/// Drops the restriction for a list request with this parameter.
async fn lost_by(exchange: Exchange, parameter: &str) -> Response {
    let is_concerned =
        exchange.request.operation().is_some_and(Operation::is_list) && exchange.request.parameter(parameter).is_some();
    if !is_concerned {
        return exchange.forward().await;
    }
    match wider_key(&exchange).await {
        Some(key) => exchange.send_as(&key).await,
        None => exchange.forward().await,
    }
}

async fn shut_out(exchange: Exchange) -> Response {
    let mut response = exchange.forward().await;
    let is_list = exchange.request.is(Operation::ListScheduledPosts) && response.is_success();
    if is_list && wider_key(&exchange).await.is_some() {
        empty(&mut response, &exchange.request);
    }
    response
}
