//! Which bodies count as equal.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::key;
use crate::edge::Exchange;
use crate::message::{Request, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "idempotency.escapes-differ",
        "The fingerprint is taken of the text without its white space.",
        &["idempotency.replay.equal-values"],
    )
    .exchange(|exchange| refuse_unlike(exchange, |request| text(request).split_ascii_whitespace().collect()).boxed()),
    fault("idempotency.of-raw-bytes", "The fingerprint is taken of the bytes.", &["idempotency.replay.parsed-body"])
        .exchange(|exchange| refuse_unlike(exchange, text).boxed()),
    fault(
        "idempotency.items-sorted",
        "Lists are sorted for the fingerprint.",
        &["idempotency.mismatch.order-of-items"],
    )
    .exchange(|exchange| {
        repeat_alike(exchange, |order| {
            let mut sorted = order.clone();
            sort_lists(&mut sorted);
            sorted
        })
        .boxed()
    }),
    fault(
        "idempotency.of-topic",
        "The fingerprint is taken of topic and website only.",
        &["idempotency.mismatch.refused"],
    )
    .exchange(|exchange| repeat_alike(exchange, |order| json!([order["topic"], order["website_id"]])).boxed()),
    fault(
        "idempotency.mismatch-replayed",
        "Another body under a used key gets the first response.",
        &["idempotency.mismatch.refused"],
    )
    .exchange(|exchange| repeat_alike(exchange, |_| Value::Null).boxed()),
];

/// Refuses a body with another fingerprint than the first under its key, also where the server takes both for the same: it gets
/// one that it must refuse too.
async fn refuse_unlike(exchange: Exchange, fingerprint: fn(&Request) -> String) -> Response {
    let Some(slot) = slot(&exchange.request) else { return exchange.forward().await };
    let own = fingerprint(&exchange.request);
    let mut request = exchange.request.clone();
    if exchange.memory.text(&slot).is_some_and(|first| first != own) {
        request.edit(|order| order["another fingerprint"] = json!(key::stand_in(&own)));
    }
    let response = exchange.send(request).await;
    if response.is_success() {
        exchange.memory.get_or_put(&slot, own);
    }
    response
}

/// Takes bodies with the same fingerprint for the same: the server gets the first of them again.
pub(in super::super) async fn repeat_alike(exchange: Exchange, fingerprint: fn(&Value) -> Value) -> Response {
    let (Some(slot), Some(order)) = (slot(&exchange.request), exchange.request.json()) else {
        return exchange.forward().await;
    };
    let slot = format!("{slot} {}", fingerprint(&order));
    let mut request = exchange.request.clone();
    if let Some(first) = exchange.memory.text(&slot) {
        request.body = first.into();
    }
    let response = exchange.send(request).await;
    if response.is_success() {
        exchange.memory.get_or_put(&slot, text(&exchange.request));
    }
    response
}

/// The slot of a request that has a key and an object.
fn slot(request: &Request) -> Option<String> {
    key::slot(request).filter(|_| request.json().is_some_and(|order| order.is_object()))
}

fn text(request: &Request) -> String {
    String::from_utf8_lossy(&request.body).into_owned()
}

fn sort_lists(value: &mut Value) {
    match value {
        Value::Array(items) => {
            items.iter_mut().for_each(sort_lists);
            items.sort_by_key(Value::to_string);
        }
        Value::Object(members) => members.values_mut().for_each(sort_lists),
        _ => {}
    }
}
