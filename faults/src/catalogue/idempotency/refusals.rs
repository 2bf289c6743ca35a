//! Faults in the order of refusals and in storing them.

use futures::future::FutureExt;
use serde_json::json;

use super::super::fault::{Fault, fault};
use super::key;
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

/// Maximum size of a body, in bytes.
const LONGEST_BODY: usize = 65_536;

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "idempotency.mismatch-queued",
        "A different body under a used key queues a job.",
        &["idempotency.mismatch.refused"],
    )
    .exchange(|exchange| mismatch_queued(exchange).boxed()),
    fault(
        "idempotency.mismatch-is-409",
        "A different body under a used key gets 409.",
        &["idempotency.mismatch.refused"],
    )
    .response(|response, _, _| {
        if is_mismatch(response) {
            response.status = 409;
            response.edit(|problem| problem["status"] = json!(409));
        }
    }),
    fault("idempotency.refusals-kept", "The server stores and replays refusals.", &["idempotency.refused.not-stored"])
        .exchange(|exchange| refusals_kept(exchange).boxed()),
    fault(
        "idempotency.after-validation",
        "The server looks up the key after it checks the schema.",
        &["idempotency.order.before-validation"],
    )
    .exchange(|exchange| after_validation(exchange).boxed()),
    fault(
        "idempotency.before-json",
        "The server checks the form of the key before the JSON.",
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

/// Gets the result of schema validation without the key by sending the request for an unknown website, so that no job
/// is queued.
async fn after_validation(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    if !is_mismatch(&response) {
        return response;
    }
    let checked = exchange.send(for_nobody(&exchange.request)).await;
    if checked.code().as_deref() == Some("validation_failed") { checked } else { response }
}

/// Returns the request without its key, for an unknown website.
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
