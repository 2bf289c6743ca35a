//! Faults in handling unknown fields and invalid bodies.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::schema::{breaks_schema, errors, tidy};
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

const STRICT: &str = "handling=strict";

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "validation.unknown-refused",
        "The server always refuses unknown fields.",
        &["generate.unknown-members.ignored"],
    )
    .request(|request, _| prefer(request, Some(STRICT)))
    .response(|response, request, _| {
        if request.is(Operation::Generate) && !request.header("prefer").is_some_and(|value| value.contains("strict")) {
            response.remove("preference-applied");
        }
    }),
    fault(
        "validation.strict-ignored",
        "The server ignores Prefer: handling=strict.",
        &["generate.unknown-members.strict"],
    )
    .request(|request, _| prefer(request, None)),
    fault(
        "validation.strict-literal",
        "The server reads Prefer only if it is exactly handling=strict.",
        &["generate.unknown-members.any-spelling"],
    )
    .request(|request, _| {
        if request.is(Operation::Generate) && request.header("prefer").is_some_and(|value| value != STRICT) {
            request.remove("prefer");
        }
    }),
    fault("validation.is-400", "An invalid body gets 400.", &["generate.invalid.required"]).response(
        |response, request, _| {
            if breaks_schema(request, response) {
                response.status = 400;
                response.edit(|problem| problem["status"] = json!(400));
            }
        },
    ),
    fault(
        "validation.queued-before-check",
        "The server queues the job before it checks the body.",
        &["generate.invalid.nothing-queued"],
    )
    .exchange(|exchange| queued_before_check(exchange).boxed()),
];

/// Replaces or removes the handling preference. Keeps all others.
fn prefer(request: &mut Request, handling: Option<&str>) {
    if !request.is(Operation::Generate) {
        return;
    }
    let sent: Vec<String> = request
        .headers
        .get_all("prefer")
        .iter()
        .filter_map(|value| value.to_str().ok().map(ToOwned::to_owned))
        .collect();
    let is_other = |wish: &&str| !wish.is_empty() && !wish.to_ascii_lowercase().starts_with("handling");
    let others = sent.iter().flat_map(|value| value.split(',')).map(str::trim).filter(is_other);
    let wishes: Vec<&str> = handling.into_iter().chain(others).collect();
    if wishes.is_empty() {
        request.remove("prefer");
    } else {
        request.set("prefer", &wishes.join(", "));
    }
}

/// Queues a job from the valid fields of a refused body.
async fn queued_before_check(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    if !breaks_schema(&exchange.request, &response) {
        return response;
    }
    let wrong: Vec<String> = errors(&response).iter().filter_map(member).collect();
    let mut request = exchange.request.clone();
    request.remove("idempotency-key");
    request.remove("prefer");
    tidy(&mut request, |members| members.retain(|name, _| !wrong.contains(name)));
    if request.json() != exchange.request.json() {
        exchange.send(request).await;
    }
    response
}

/// Returns the top-level field of an error.
fn member(error: &Value) -> Option<String> {
    error["pointer"].as_str()?.strip_prefix("#/")?.split('/').next().map(ToOwned::to_owned)
}
