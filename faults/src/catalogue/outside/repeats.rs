//! Faults in recognising repeated requests.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::super::idempotency::bodies::repeat_alike;
use super::super::idempotency::key::{self, is_replay};
use super::super::idempotency::under_way::UnderWay;
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

/// Combining accents, and the letters that include them.
const COMPOSED: [(&str, &str); 8] = [
    ("a\u{301}", "\u{e1}"),
    ("e\u{301}", "\u{e9}"),
    ("i\u{301}", "\u{ed}"),
    ("o\u{301}", "\u{f3}"),
    ("u\u{301}", "\u{fa}"),
    ("a\u{308}", "\u{e4}"),
    ("o\u{308}", "\u{f6}"),
    ("u\u{308}", "\u{fc}"),
];

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "outside.repeat-after-cancel",
        "A repeat with the same idempotency key queues a new job once the first is cancelled.",
        &["idempotency.replay.after-cancel"],
    )
    .exchange(|exchange| repeat_anew(exchange, "/api/v1/jobs/id", "cancelled").boxed()),
    fault(
        "outside.repeat-after-publishing",
        "A repeat with the same idempotency key queues a new job once the first article is published.",
        &["idempotency.replay.after-publishing"],
    )
    .exchange(|exchange| repeat_anew(exchange, "/api/v1/articles/id", "published").boxed()),
    fault(
        "outside.composed-alike",
        "The server ignores Unicode normalisation when it compares topics.",
        &["idempotency.mismatch.unicode-form"],
    )
    .exchange(|exchange| repeat_alike(exchange, |order| with_topic(order, composed)).boxed()),
    fault(
        "outside.trimmed-alike",
        "The server ignores white space around the topic when it compares bodies.",
        &["idempotency.mismatch.refused"],
    )
    .exchange(|exchange| repeat_alike(exchange, |order| with_topic(order, |topic| topic.trim().to_owned())).boxed()),
    fault(
        "outside.held-by-unknown-website",
        "A refusal for an unknown website reserves the idempotency key.",
        &["idempotency.refused.not-stored"],
    )
    .exchange(|exchange| held_by_unknown_website(exchange).boxed()),
    fault(
        "outside.held-by-quota",
        "A refusal for a spent quota reserves the idempotency key for ever.",
        &["idempotency.refused.quota-not-stored"],
    )
    .exchange(|exchange| held_by_quota(exchange).boxed()),
    fault(
        "outside.replay-old-quota",
        "A replay shows the remaining quota of the first request.",
        &["idempotency.replay.fresh-quota"],
    )
    .response(|response, request, memory| {
        let (Some(left), Some(job)) = (response.header("ratelimit"), response.text("/job_id")) else { return };
        if request.is(Operation::Generate) {
            let first = memory.get_or_put(&job, json!(left));
            response.set("ratelimit", first.as_str().unwrap_or_default());
        }
    }),
    fault(
        "outside.other-body-at-once",
        "Of two concurrent different bodies with one idempotency key, the second gets the first one's job.",
        &["idempotency.concurrent.one-body"],
    )
    .exchange(|exchange| other_body_at_once(exchange).boxed()),
];

/// Lets a key queue a new job once the record at `path` has that status.
async fn repeat_anew(exchange: Exchange, path: &str, status: &str) -> Response {
    let Some(key) = key::key(&exchange.request) else { return exchange.forward().await };
    let mut request = exchange.request.clone();
    let mut response = exchange.forward().await;
    // Each round is a finished job. Clients do not repeat a request that often.
    for round in 0..100 {
        let job = response.text("/job_id").filter(|_| is_replay(&request, &response));
        let (Some(job), Some(caller)) = (job, exchange.request.key()) else { break };
        let mut read = Request::get(path).with_key(caller);
        read.set_id(&job);
        if exchange.send(read).await.text("/status").as_deref() != Some(status) {
            break;
        }
        key::set(&mut request, &key::stand_in(&format!("{round} {key}")));
        response = exchange.send(request.clone()).await;
    }
    response
}

fn with_topic(order: &Value, change: fn(&str) -> String) -> Value {
    let mut order = order.clone();
    if let Some(topic) = order["topic"].as_str().map(change) {
        order["topic"] = json!(topic);
    }
    order
}

fn composed(topic: &str) -> String {
    COMPOSED.iter().fold(topic.to_owned(), |topic, (apart, together)| topic.replace(apart, together))
}

/// Refuses a body under a reserved key as a different body. Sends the server the body that it refused before, so that
/// it queues nothing, and rewrites that refusal.
async fn held_by_unknown_website(exchange: Exchange) -> Response {
    let Some(slot) = key::slot(&exchange.request) else { return exchange.forward().await };
    let Some(held) = exchange.memory.get(&slot).filter(|held| exchange.request.json().as_ref() != Some(held)) else {
        let response = exchange.forward().await;
        if response.code().as_deref() == Some("website_not_found") {
            exchange.memory.put(&slot, exchange.request.json().unwrap_or_default());
        }
        return response;
    };
    let mut request = exchange.request.clone();
    request.edit(|order| *order = held);
    let response = exchange.send(request).await;
    if response.code().as_deref() == Some("website_not_found") {
        return Response::problem(&response, 422, "idempotency_mismatch", "Idempotency key reused");
    }
    response
}

/// Charges the quota with an empty generation request, which the server refuses.
async fn held_by_quota(exchange: Exchange) -> Response {
    let Some(slot) = key::slot(&exchange.request) else { return exchange.forward().await };
    if exchange.memory.get(&slot).is_none() {
        let response = exchange.forward().await;
        if response.code().as_deref() == Some("rate_limited") {
            exchange.memory.put(&slot, true);
        }
        return response;
    }
    let mut request = exchange.request.clone();
    request.edit(|order| *order = json!({}));
    let refused = exchange.send(request).await;
    if refused.code().as_deref() != Some("validation_failed") {
        return refused;
    }
    let mut response = Response::problem(&refused, 409, "idempotency_in_flight", "Idempotent request in flight");
    response.set("retry-after", "1");
    response
}

async fn other_body_at_once(exchange: Exchange) -> Response {
    let under_way = UnderWay::begin(&exchange).await;
    let mut request = exchange.request.clone();
    if let Some(under_way) = &under_way
        && let Some(met) = under_way.met.clone()
    {
        under_way.wait().await;
        request.body = met.into();
    }
    exchange.send(request).await
}
