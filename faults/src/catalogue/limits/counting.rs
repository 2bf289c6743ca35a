//! Faults in counting requests and enforcing quotas.

use futures::future::FutureExt;
use http::Method;
use serde_json::json;

use super::super::fault::{Fault, fault};
use super::purse::{self, Quota};
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

/// Number of windows for which a client is locked out.
const WINDOWS: u32 = 10;

pub(super) const FAULTS: &[Fault] = &[
    fault("limits.one-purse", "The server charges generation requests to the policy api.", &["limits.quota.apart"])
        .exchange(|exchange| one_purse(exchange).boxed()),
    fault(
        "limits.queued-anyway",
        "The server queues a request beyond the quota and then refuses it.",
        &["limits.quota.nothing-queued"],
    )
    .exchange(|exchange| queued_anyway(exchange).boxed()),
    fault("limits.unenforced", "The server does not enforce the quota.", &["limits.quota.exceeded"])
        .exchange(|exchange| unenforced(exchange).boxed()),
    fault("limits.twice-as-many", "The server accepts twice the quota.", &["limits.quota.exact"])
        .exchange(|exchange| twice_as_many(exchange).boxed()),
    fault("limits.charged-thrice", "The server charges each request three times.", &["limits.quota.exact"])
        .exchange(|exchange| charged_thrice(exchange).boxed()),
    fault(
        "limits.locked-out",
        "The server locks out a client for longer than Retry-After says.",
        &["limits.quota.recovers"],
    )
    .exchange(|exchange| locked_out(exchange).boxed()),
];

/// Returns a read with the same key, which is charged to the policy `api`.
fn read_of(request: &Request) -> Option<Request> {
    Some(Request::get("/api/v1/websites?limit=1").with_key(request.key()?))
}

/// Charges each generation request by a read. It succeeds only if the read does, and shows the read's quota.
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

/// Of consecutive refusals, accepts as many as the quota has requests.
async fn twice_as_many(exchange: Exchange) -> Response {
    let response = purse::forward(&exchange).await;
    let Some(purse) = purse::of_request(&exchange.request) else { return response };
    if !purse::is_refusal(&response) {
        exchange.memory.take(&purse);
        return response;
    }
    let requests = Quota::of(&response).map_or(0, |quota| quota.requests);
    if exchange.memory.next_number(&purse) < requests { purse::beyond(&exchange, response).await } else { response }
}

/// Sends two more requests after each one, which are charged to the same policy and have no effect.
async fn charged_thrice(exchange: Exchange) -> Response {
    let mut response = exchange.forward().await;
    let Some(mut again) = read_of(&exchange.request).filter(|_| Quota::of(&response).is_some()) else {
        return response;
    };
    if exchange.request.is(Operation::Generate) {
        (again.method, again.path, again.query) = (Method::POST, exchange.request.path.clone(), None);
        again.set("content-type", "application/json");
        again.body = "{}".into();
    }
    for _ in 0..2 {
        let charge = exchange.send(again.clone()).await;
        if !purse::is_refusal(&response) && Quota::of(&charge).is_some() {
            purse::set_quota_of(&mut response, &charge);
        }
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
