//! What is counted, and who is let through.

use futures::future::FutureExt;
use http::Method;
use serde_json::json;

use super::super::fault::{Fault, fault};
use super::purse::{self, Quota};
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

/// How many windows somebody is locked out.
const WINDOWS: u32 = 10;

pub(super) const FAULTS: &[Fault] = &[
    fault("limits.one-purse", "Requests to generate are charged to the policy api.", &["limits.quota.apart"])
        .exchange(|exchange| one_purse(exchange).boxed()),
    fault(
        "limits.queued-anyway",
        "A request beyond the quota is queued, and then refused.",
        &["limits.quota.nothing-queued"],
    )
    .exchange(|exchange| queued_anyway(exchange).boxed()),
    fault("limits.unenforced", "The quota is told and not enforced.", &["limits.quota.exceeded"])
        .exchange(|exchange| unenforced(exchange).boxed()),
    fault("limits.one-more", "One request more than the quota gets through.", &["limits.quota.exact"])
        .exchange(|exchange| one_more(exchange).boxed()),
    fault("limits.charged-twice", "Each request is charged twice.", &["limits.quota.counts-down"])
        .exchange(|exchange| charged_twice(exchange).boxed()),
    fault(
        "limits.locked-out",
        "Who exceeds the quota is locked out for longer than Retry-After says.",
        &["limits.quota.recovers"],
    )
    .exchange(|exchange| locked_out(exchange).boxed()),
];

/// A read with the same key, which is charged to the policy `api`.
fn read_of(request: &Request) -> Option<Request> {
    Some(Request::get("/api/v1/websites?limit=1").with_key(request.key()?))
}

/// Each request to generate is charged by a read: it goes through as long as that does, and tells what that tells.
async fn one_purse(exchange: Exchange) -> Response {
    let request = &exchange.request;
    let Some(read) = read_of(request).filter(|_| request.is(Operation::Generate)) else {
        return purse::forward(&exchange).await;
    };
    let mut charge = exchange.send(read).await;
    if charge.status == 401 {
        return exchange.forward().await;
    }
    if purse::is_refusal(&charge) {
        charge.edit(|problem| {
            if let Some(instance) = problem.get_mut("instance") {
                *instance = json!(request.public_path());
            }
        });
        return charge;
    }
    let mut response = purse::forward(&exchange).await;
    if purse::is_refusal(&response) {
        response = purse::beyond(&exchange, response).await;
    }
    purse::set_quota_of(&mut response, &charge);
    response
}

async fn queued_anyway(exchange: Exchange) -> Response {
    let response = purse::forward(&exchange).await;
    if exchange.request.is(Operation::Generate) && purse::is_refusal(&response) {
        purse::beyond(&exchange, response.clone()).await;
    }
    response
}

async fn unenforced(exchange: Exchange) -> Response {
    let response = purse::forward(&exchange).await;
    if purse::is_refusal(&response) { purse::beyond(&exchange, response).await } else { response }
}

/// The first of the refusals in a row is none.
async fn one_more(exchange: Exchange) -> Response {
    let response = purse::forward(&exchange).await;
    let Some(purse) = purse::of_request(&exchange.request) else { return response };
    if !purse::is_refusal(&response) {
        exchange.memory.take(&purse);
        return response;
    }
    if exchange.memory.put(&purse, true).is_none() { purse::beyond(&exchange, response).await } else { response }
}

/// Each request is followed by one that is charged to the same policy and does nothing.
async fn charged_twice(exchange: Exchange) -> Response {
    let mut response = exchange.forward().await;
    let Some(mut again) = read_of(&exchange.request).filter(|_| Quota::of(&response).is_some()) else {
        return response;
    };
    if exchange.request.is(Operation::Generate) {
        (again.method, again.path, again.query) = (Method::POST, exchange.request.path.clone(), None);
        again.set("content-type", "application/json");
        again.body = "{}".into();
    }
    let again = exchange.send(again).await;
    if !purse::is_refusal(&response) && Quota::of(&again).is_some() {
        purse::set_quota_of(&mut response, &again);
    }
    response
}

async fn locked_out(exchange: Exchange) -> Response {
    let Some(purse) = purse::of_request(&exchange.request) else { return exchange.forward().await };
    if let Some((refusal, _)) = purse::refuse_again(&exchange, &purse).await {
        return refusal;
    }
    let response = exchange.forward().await;
    if let Some(quota) = Quota::of(&response).filter(|_| purse::is_refusal(&response)) {
        purse::keep(&exchange.memory, &purse, &response, quota.window * WINDOWS);
    }
    response
}
