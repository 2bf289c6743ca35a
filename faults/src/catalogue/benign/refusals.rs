//! Refusals with other fields, and a repeat during the first request.

use futures::future::FutureExt;
use serde_json::json;

use super::super::fault::{Fault, Profile, variant};
use super::super::refusals;
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response, remove_member};

pub(super) const FAULTS: &[Fault] = &[
    variant("benign.sparse-problems", "Problems lack instance.", Profile::Full).response(|response, _, _| {
        if response.code().is_some() {
            response.edit(|problem| {
                remove_member(problem, "instance");
            });
        }
    }),
    variant("benign.rich-problems", "Problems have custom fields.", Profile::Full).response(|response, _, _| {
        if response.code().is_some() {
            response.edit(|problem| problem["help"] = json!({ "url": "https://example.com/help", "since": null }));
        }
    }),
    variant("benign.two-challenges", "The challenge has more parameters.", Profile::Full).response(|response, _, _| {
        response.change("www-authenticate", |challenge| {
            format!("{challenge}, charset=\"UTF-8\", error_description=\"see the documentation\"")
        });
    }),
    variant("benign.allow-spaced", "Allow is written in another order and with more spaces.", Profile::Full).response(
        |response, _, _| {
            response.change("allow", |allow| {
                let methods: Vec<&str> = allow.split(',').map(str::trim).rev().collect();
                methods.join(" ,  ")
            });
        },
    ),
    variant("benign.in-flight", "A repeat during the first request gets 409 idempotency_in_flight.", Profile::Full)
        .exchange(|exchange| in_flight(exchange).boxed()),
];

async fn in_flight(exchange: Exchange) -> Response {
    let request = &exchange.request;
    let key = idempotency_key(request).filter(|_| request.is(Operation::Generate));
    let (Some(key), true) = (key, request.json().is_some_and(|body| body.is_object())) else {
        return exchange.forward().await;
    };
    let slot = format!("{:?} {key}", request.key());
    if exchange.memory.put(&slot, true).is_none() {
        let response = exchange.forward().await;
        exchange.memory.take(&slot);
        return response;
    }
    // The request is charged like any other. A body that is not JSON shows this.
    let mut probe = request.clone();
    probe.body = "{".into();
    let refusal = exchange.send(probe).await;
    if refusal.code().is_none_or(|code| code != "invalid_json") {
        return refusal;
    }
    let mut response = refusals::in_place_of(&refusal, 409, "idempotency_in_flight", "Idempotent request in flight");
    response.set("retry-after", "1");
    response
}

/// Returns the key without quotes, if the server surely accepts it.
fn idempotency_key(request: &Request) -> Option<&str> {
    let mut lines = request.headers.get_all("idempotency-key").iter();
    let (Some(line), None) = (lines.next(), lines.next()) else { return None };
    let line = line.to_str().ok()?;
    let key = line.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(line);
    let is_plain = key.bytes().all(|byte| byte.is_ascii_graphic() && !b"\",;\\".contains(&byte));
    (is_plain && (1..=255).contains(&key.len())).then_some(key)
}
