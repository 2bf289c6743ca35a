//! Concurrent requests with one key.

use futures::future::FutureExt;

use super::super::fault::{Fault, fault};
use super::key;
use super::under_way::UnderWay;
use crate::edge::Exchange;
use crate::message::Response;

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "idempotency.race",
        "The server does not lock between looking up a key and inserting it.",
        &["idempotency.concurrent.one-job"],
    )
    .exchange(|exchange| race(exchange).boxed()),
    fault(
        "idempotency.concurrent-is-500",
        "A concurrent request with the same key causes a 500.",
        &["idempotency.concurrent.one-job"],
    )
    .exchange(|exchange| concurrent_is_500(exchange).boxed()),
];

async fn race(exchange: Exchange) -> Response {
    let under_way = UnderWay::begin(&exchange).await;
    let mut request = exchange.request.clone();
    if under_way.as_ref().is_some_and(|under_way| under_way.met.is_some()) {
        request.remove(key::HEADER);
    }
    exchange.send(request).await
}

async fn concurrent_is_500(exchange: Exchange) -> Response {
    let under_way = UnderWay::begin(&exchange).await;
    let Some(under_way) = under_way.filter(|under_way| under_way.met.is_some()) else {
        return exchange.forward().await;
    };
    under_way.wait().await;
    let response = exchange.forward().await;
    if response.is_success() { Response::problem(&response, 500, "internal_error", "Internal error") } else { response }
}
