//! Faults in comparing bodies.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::key;
use crate::edge::Exchange;
use crate::message::{Request, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "idempotency.escapes-differ",
        "The fingerprint ignores white space in the text.",
        &["idempotency.replay.equal-values"],
    )
    .exchange(|exchange| refuse_unlike(exchange, |request| text(request).split_ascii_whitespace().collect()).boxed()),
    fault("idempotency.of-raw-bytes", "The fingerprint covers the raw bytes.", &["idempotency.replay.equal-values"])
        .exchange(|exchange| refuse_unlike(exchange, text).boxed()),
    fault(
        "idempotency.items-sorted",
        "The fingerprint ignores the order of lists.",
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
    fault("idempotency.of-topic", "The fingerprint covers only topic and website.", &["idempotency.mismatch.refused"])
        .exchange(|exchange| repeat_alike(exchange, |order| json!([order["topic"], order["website_id"]])).boxed()),
    fault(
        "idempotency.mismatch-replayed",
        "A different body under a used key gets the first response.",
        &["idempotency.mismatch.refused"],
    )
    .exchange(|exchange| repeat_alike(exchange, |_| Value::Null).boxed()),
];

/// Refuses a body whose fingerprint differs from the first under its key. If the server treats both as equal, sends one
/// that it must refuse.
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

/// Treats bodies with the same fingerprint as equal: sends the server the first of them again.
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

/// Returns the slot of a request with a key and a JSON object.
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
