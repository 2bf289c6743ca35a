//! What is refused, in which order, and what of it is kept.

use futures::future::FutureExt;
use serde_json::json;

use super::super::fault::{Fault, fault};
use super::key;
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

/// Longest body that is not refused for its length.
const LONGEST_BODY: usize = 65_536;

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "idempotency.mismatch-queued",
        "Another body under a used key makes a job.",
        &["idempotency.mismatch.refused"],
    )
    .exchange(|exchange| mismatch_queued(exchange).boxed()),
    fault(
        "idempotency.mismatch-is-409",
        "Another body under a used key is answered 409.",
        &["idempotency.mismatch.refused"],
    )
    .response(|response, _, _| {
        if is_mismatch(response) {
            response.status = 409;
            response.edit(|problem| problem["status"] = json!(409));
        }
    }),
    fault("idempotency.refusals-kept", "Refusals are kept and replayed.", &["idempotency.refused.not-stored"])
        .exchange(|exchange| refusals_kept(exchange).boxed()),
    fault(
        "idempotency.after-validation",
        "The key is looked up after the schema was checked.",
        &["idempotency.order.before-validation"],
    )
    .exchange(|exchange| after_validation(exchange).boxed()),
    fault(
        "idempotency.before-json",
        "The form of the key is checked before the JSON.",
        &["idempotency.order.before-validation"],
    )
    .request(|request, _| {
        let is_malformed = request.headers.contains_key(key::HEADER) && key::key(request).is_none();
        if request.is(Operation::Generate) && is_malformed && request.body.len() <= LONGEST_BODY {
            request.body = "{}".into();
        }
    }),
];

fn is_mismatch(response: &Response) -> bool {
    response.code().as_deref() == Some("idempotency_mismatch")
}

async fn mismatch_queued(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    if !is_mismatch(&response) {
        return response;
    }
    let mut request = exchange.request.clone();
    request.remove(key::HEADER);
    exchange.send(request).await
}

/// Replays a refusal by having the server refuse the same body again.
async fn refusals_kept(exchange: Exchange) -> Response {
    let Some(slot) = key::slot(&exchange.request) else { return exchange.forward().await };
    let mut request = exchange.request.clone();
    if let Some(refused) = exchange.memory.text(&slot) {
        request.body = refused.into();
    }
    let body = request.body.clone();
    let response = exchange.send(request).await;
    if let Some("validation_failed" | "website_not_found" | "website_inactive") = response.code().as_deref() {
        exchange.memory.put(&slot, String::from_utf8_lossy(&body).into_owned());
    }
    response
}

/// What the server would say of the schema without the key, it tells of an order for a website that nobody has: none is queued.
async fn after_validation(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    if !is_mismatch(&response) {
        return response;
    }
    let checked = exchange.send(for_nobody(&exchange.request)).await;
    if checked.code().as_deref() == Some("validation_failed") { checked } else { response }
}

/// The same without its key, and for a website that nobody has.
fn for_nobody(request: &Request) -> Request {
    let mut request = request.clone();
    request.remove(key::HEADER);
    request.edit(|order| {
        if order["website_id"].as_str().is_some_and(|id| (1..=128).contains(&id.chars().count())) {
            order["website_id"] = json!("a website that nobody has");
        }
    });
    request
}
