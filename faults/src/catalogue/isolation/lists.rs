//! Lists, filters and page tokens of another account.

use std::collections::BTreeSet;

use futures::future::FutureExt;

use super::super::fault::{Fault, fault};
use super::super::paging::pages::{self, Listing, Place, all_rows, continued, id_of, rows_of, sent_filters, time_of};
use super::super::paging::parameters::{is_page, valid};
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault("isolation.articles-of-all", "The list of articles shows every account.", &["isolation.lists.rows"])
        .exchange(|exchange| of_all(exchange, Operation::ListArticles).boxed()),
    fault(
        "isolation.leads-of-all",
        "The list of leads shows every account.",
        &["isolation.lists.rows", "isolation.leads.unknown"],
    )
    .exchange(|exchange| of_all(exchange, Operation::ListLeads).boxed()),
    fault("isolation.posts-of-all", "The list of scheduled posts shows every account.", &["isolation.lists.rows"])
        .exchange(|exchange| of_all(exchange, Operation::ListScheduledPosts).boxed()),
    fault("isolation.websites-of-all", "The list of websites shows every account.", &["isolation.lists.rows"])
        .exchange(|exchange| of_all(exchange, Operation::ListWebsites).boxed()),
    fault(
        "isolation.filter-instead-of-account",
        "A filter by website replaces the filter by account.",
        &["isolation.lists.filter"],
    )
    .exchange(|exchange| filter_instead_of_account(exchange).boxed()),
    fault(
        "isolation.token-of-anyone",
        "The server accepts a page token from another account.",
        &["isolation.tokens.account"],
    )
    .exchange(|exchange| token_of_anyone(exchange).boxed()),
];

/// Returns the rows that any key has seen so far.
async fn of_all(exchange: Exchange, operation: Operation) -> Response {
    let listing = Listing::asked(&exchange).filter(|_| exchange.request.is(operation));
    let Some(listing) = listing else { return exchange.forward().await };
    let Some(mut rows) = listing.rows(&exchange).await else { return exchange.forward().await };
    let mut ids: BTreeSet<String> = rows.iter().map(|row| id_of(row).to_owned()).collect();
    for key in exchange.memory.world.keys() {
        if exchange.request.key() == Some(&key) || !shows_others(&exchange, &listing, &key, &ids).await {
            continue;
        }
        let others = all_rows(&exchange, &exchange.request.path, &key, &listing.filters).await.unwrap_or_default();
        rows.extend(others.into_iter().filter(|row| ids.insert(id_of(row).to_owned())));
    }
    rows.sort_by_key(|row| std::cmp::Reverse(time_of(row)));
    let begin = listing.from.as_ref().map_or(0, |place| pages::behind_last(&rows, place));
    listing.page(&exchange, &rows, begin).await
}

/// Returns true if the newest row of a key is new. Keys of one account show the same rows.
async fn shows_others(exchange: &Exchange, listing: &Listing, key: &str, ids: &BTreeSet<String>) -> bool {
    let mut newest = Request::get(&exchange.request.path).with_key(key);
    newest.set_parameters(&listing.filters);
    newest.set_parameter("limit", "1");
    let page = exchange.send(newest).await.json().unwrap_or_default();
    page["next_page"].is_string() && rows_of(&page).is_empty()
        || rows_of(&page).iter().any(|row| !ids.contains(id_of(row)))
}

async fn filter_instead_of_account(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    let is_nothing = response.json().is_some_and(|page| page["items"].as_array().is_some_and(Vec::is_empty))
        || response.code().as_deref() == Some("invalid_page_token");
    let website = valid(&exchange.request, "website_id").filter(|_| is_page(&exchange.request) && is_nothing);
    match website.and_then(|website| exchange.memory.world.owner_of(&website)) {
        Some(owner) => exchange.send_as(&owner).await,
        None => response,
    }
}

/// Continues the caller's list at the place of another account's page token.
async fn token_of_anyone(exchange: Exchange) -> Response {
    let request = &exchange.request;
    let response = exchange.forward().await;
    pages::note(&response, request, &exchange.memory);
    if response.code().as_deref() != Some("invalid_page_token") || !is_page(request) {
        return response;
    }
    let fits = |place: &Place| {
        place.path == request.path && sent_filters(request).iter().all(|filter| place.filters.contains(filter))
    };
    match Place::of(request, &exchange.memory).filter(fits) {
        Some(place) => {
            let filters = place.filters.clone();
            continued(&exchange, place, filters).await
        }
        None => response,
    }
}
