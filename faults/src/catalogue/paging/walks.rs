//! Faults in pagination: the order, the next page, and the end.

use chrono::SubsecRound as _;
use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::pages::{self, Listing, Place, arranged, arranged_if, behind_last, lead_on, link_as_asked, sent_filters};
use super::parameters::{is_page, single, valid};
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault("paging.by-offset", "The page token contains an offset.", &["pages.walk.rows-arriving"])
        .exchange(|exchange| arranged(exchange, |_, _| {}, |_, place| place.offset).boxed()),
    fault("paging.leads-by-offset", "The page token of a list of leads contains an offset.", &["leads.sync.walk"])
        .exchange(|exchange| arranged_if(Operation::ListLeads, exchange, |_, _| {}, |_, place| place.offset).boxed()),
    fault("paging.by-seconds", "The page token contains the time in whole seconds.", &["pages.walk.nothing-lost"])
        .response(|response, request, memory| {
            pages::lose_rows(response, request, memory, |time, end| time > end.trunc_subsecs(0));
        }),
    fault(
        "paging.inclusive",
        "The next page begins with the last item of the previous page.",
        &["pages.walk.nothing-lost"],
    )
    .exchange(|exchange| inclusive(exchange).boxed()),
    fault(
        "paging.row-skipped",
        "The server loses the item that it reads to find out if there is a next page.",
        &["pages.walk.nothing-lost"],
    )
    .request(|request, _| {
        let is_later = single(request, "page_token").is_some();
        if let Some(limit) = limit_of(request).filter(|limit| is_later && *limit < 100) {
            request.set_parameter("limit", &(limit + 1).to_string());
        }
    })
    .response(|response, request, memory| {
        if is_page(request) && response.is_success() && request.parameter("page_token").is_some() {
            let mut at = 0..;
            pages::retain_rows(response, |_| at.next() != Some(0));
            link_as_asked(response, request, memory);
        }
    }),
    fault("paging.never-more", "Lists have no next page.", &["pages.walk.nothing-lost"]).response(
        |response, request, _| {
            if is_page(request) && response.is_success() {
                lead_on(response, request, None);
            }
        },
    ),
    fault("paging.always-more", "The last page has a next page, too.", &["pages.walk.ends"])
        .exchange(|exchange| always_more(exchange).boxed()),
    fault("paging.oldest-first", "Lists are sorted oldest first.", &["pages.order.newest-first"])
        .exchange(|exchange| arranged(exchange, |_, rows| rows.reverse(), behind_last).boxed()),
    fault(
        "paging.by-update",
        "Scheduled posts are sorted by their last change.",
        &["pages.order.newest-first", "pages.walk.nothing-lost"],
    )
    .exchange(|exchange| {
        arranged_if(Operation::ListScheduledPosts, exchange, |_, rows| by_update(rows), behind_update).boxed()
    }),
];

/// Returns the limit in force, unless it must be refused.
fn limit_of(request: &Request) -> Option<u32> {
    let text = if request.parameter("limit").is_some() { valid(request, "limit")? } else { "20".to_owned() };
    text.parse().ok()
}

async fn inclusive(exchange: Exchange) -> Response {
    let (request, memory) = (&exchange.request, &exchange.memory);
    let place = Place::of(request, memory).filter(|place| place.last.is_object());
    let (Some(place), Some(limit)) = (place, limit_of(request)) else {
        let response = exchange.forward().await;
        pages::note(&response, request, memory);
        return response;
    };
    let mut others = request.clone();
    others.set_parameter("limit", &limit.saturating_sub(1).max(1).to_string());
    let mut response = exchange.send(others).await;
    if !response.is_success() || !is_page(request) {
        return response;
    }
    if limit == 1 {
        response.edit(|page| page["items"] = json!([place.last]));
        lead_on(&mut response, request, single(request, "page_token").as_deref());
        return response;
    }
    response.edit(|page| {
        if let Some(rows) = page.get_mut("items").and_then(Value::as_array_mut) {
            rows.insert(0, place.last);
        }
    });
    link_as_asked(&mut response, request, memory);
    pages::note(&response, request, memory);
    response
}

/// The last page is followed by an empty one that points to itself.
async fn always_more(exchange: Exchange) -> Response {
    let request = &exchange.request;
    if let Some(listing) = Listing::asked(&exchange).filter(|listing| listing.from.is_some()) {
        let mut response = listing.page(&exchange, &[], 0).await;
        if response.is_success() {
            lead_on(&mut response, request, single(request, "page_token").as_deref());
        }
        return response;
    }
    let mut response = exchange.forward().await;
    let is_last = response.json().is_some_and(|page| page["items"].is_array() && page["next_page"].is_null());
    if is_page(request) && response.is_success() && is_last {
        let listing = Listing { filters: sent_filters(request), from: None };
        let token = listing.token(&exchange, &[], 0);
        lead_on(&mut response, request, Some(&token));
    }
    response
}

fn by_update(rows: &mut [Value]) {
    rows.sort_by(|one, other| update_of(other).cmp(&update_of(one)));
}

fn behind_update(rows: &[Value], place: &Place) -> usize {
    rows.iter().position(|row| update_of(row) < update_of(&place.last)).unwrap_or(rows.len())
}

fn update_of(row: &Value) -> (&str, &str) {
    (row["updated_at"].as_str().unwrap_or_default(), pages::id_of(row))
}
