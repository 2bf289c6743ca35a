//! Faults in access control, and leaks in responses.

use futures::future::FutureExt;
use http::Method;
use serde_json::Value;

use super::super::fault::{Fault, fault};
use super::super::paging::pages::websites_of;
use super::super::{echo, refusals};
use crate::edge::Exchange;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, parse_time};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "outside.foreign-cancelled-told",
        "Reading the article of a foreign cancelled job returns generation_cancelled.",
        &["isolation.ids.every"],
    )
    .exchange(|exchange| foreign_cancelled_told(exchange).boxed()),
    fault(
        "outside.foreign-end-told",
        "Cancelling a foreign completed job returns job_not_cancellable.",
        &["isolation.ids.every"],
    )
    .exchange(|exchange| foreign_end_told(exchange).boxed()),
    fault(
        "outside.foreign-pause-told",
        "A generation request for a foreign paused website returns website_inactive.",
        &["isolation.websites.paused"],
    )
    .exchange(|exchange| foreign_pause_told(exchange).boxed()),
    fault("outside.head-open", "The server accepts HEAD without a key.", &["auth.missing.head"])
        .exchange(|exchange| head_open(exchange).boxed()),
    fault(
        "outside.cancel-scope-misnamed",
        "The refusal of a cancel names the API scope jobs:read.",
        &["auth.scope.insufficient"],
    )
    .response(|response, request, _| {
        if request.is(Operation::CancelJob) {
            response.change("www-authenticate", |challenge| challenge.replace("generate:write", "jobs:read"));
        }
    }),
    fault("outside.allow-of-websites", "Allow of the list of websites lacks HEAD.", &["http.method.not-allowed"])
        .response(|response, request, _| {
            if request.path == "/api/v1/websites" && response.status == 405 {
                response.set("allow", "GET");
            }
        }),
    fault(
        "outside.request-ids-wrap",
        "The server reuses a request id after twenty requests.",
        &["http.request-id.distinct"],
    )
    .response(request_ids_wrap),
    fault(
        "outside.at-most-three",
        "The server reports at most three errors of a body.",
        &["generate.invalid.every-fault"],
    )
    .response(|response, request, _| {
        if request.is(Operation::Generate) && is(response, "validation_failed") {
            response.edit(|problem| {
                if let Some(errors) = problem.get_mut("errors").and_then(Value::as_array_mut) {
                    errors.truncate(3);
                }
            });
        }
    }),
    fault(
        "outside.created-at-of-body",
        "The server copies the unknown request field created_at into the job.",
        &["generate.unknown-members.not-taken-over"],
    )
    .exchange(|exchange| created_at_of_body(exchange).boxed())
    .response(|response, request, memory| {
        if matches!(request.operation(), Some(Operation::Generate | Operation::GetJob | Operation::CancelJob)) {
            echo::show(response, request, memory);
        }
    }),
];

fn is(response: &Response, code: &str) -> bool {
    response.code().is_some_and(|found| found == code)
}

/// Returns a key of the account that owns the id in the path, if known.
fn owner(exchange: &Exchange) -> Option<String> {
    exchange.memory.world.owner_of(&exchange.request.id()?)
}

async fn foreign_cancelled_told(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    if exchange.request.is(Operation::GetArticle)
        && is(&response, "article_not_found")
        && let Some(owner) = owner(&exchange)
    {
        let told = exchange.send_as(&owner).await;
        if is(&told, "generation_cancelled") {
            return told;
        }
    }
    response
}

async fn foreign_end_told(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    if exchange.request.is(Operation::CancelJob)
        && is(&response, "job_not_found")
        && let (Some(id), Some(owner)) = (exchange.request.id(), owner(&exchange))
    {
        let mut read = Request::get("/api/v1/jobs/nobody").with_key(&owner);
        read.set_id(&id);
        let status = exchange.send(read).await.text("/status");
        // Cancelling an unfinished job would change it.
        if matches!(status.as_deref(), Some("completed" | "failed")) {
            return exchange.send_as(&owner).await;
        }
    }
    response
}

async fn foreign_pause_told(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    let wanted = exchange.request.json().and_then(|body| body.get("website_id").cloned());
    let Some(wanted) = wanted.filter(|_| is(&response, "website_not_found")) else { return response };
    for key in exchange.memory.world.keys() {
        let websites = websites_of(&exchange, &key).await;
        let found = websites.iter().find(|row| row.get("website_id") == Some(&wanted));
        if found.is_some_and(|row| row.get("status").is_some_and(|status| status != "active")) {
            return refusals::in_place_of(&response, 403, "website_inactive", "Website inactive");
        }
    }
    response
}

async fn head_open(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    if exchange.request.method != Method::HEAD || response.status != 401 {
        return response;
    }
    match owner(&exchange).or_else(|| exchange.memory.world.keys().into_iter().next()) {
        Some(key) => exchange.send_as(&key).await,
        None => response,
    }
}

fn request_ids_wrap(response: &mut Response, _: &Request, memory: &Memory) {
    let Some(own) = response.header("x-request-id").map(ToOwned::to_owned) else { return };
    let number = memory.next_number("requests") % 20;
    let id = memory.get_or_put(&format!("request id {number}"), own);
    response.set("x-request-id", id.as_str().unwrap_or_default());
    if response.code().is_some() {
        response.edit(|problem| problem["request_id"] = id);
    }
}

async fn created_at_of_body(exchange: Exchange) -> Response {
    let body = exchange.request.json().unwrap_or_default();
    if body.get("created_at").and_then(Value::as_str).and_then(parse_time).is_none() {
        return exchange.forward().await;
    }
    echo::generate_as(&exchange, &["created_at"], |_| {}).await
}
