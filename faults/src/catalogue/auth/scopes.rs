//! Faults in checking API scopes.

use futures::future::FutureExt;
use http::Method;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::super::limits::purse::may_see;
use super::super::refusals;
use super::challenge::{SCOPE, without};
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

/// Cheap requests, one for each API scope of the document. The last is a POST.
const ONE_OF_EACH_SCOPE: [&str; 5] = [
    "/api/v1/articles?limit=1",
    "/api/v1/leads?limit=1",
    "/api/v1/scheduled_posts?limit=1",
    "/api/v1/websites?limit=1",
    "/api/v1/jobs/nobody/cancel",
];

pub(super) const FAULTS: &[Fault] = &[
    fault("auth.scopes-ignored", "The server does not check API scopes.", &["auth.scope.insufficient"])
        .exchange(|exchange| scopes_ignored(exchange).boxed()),
    fault("auth.any-scope", "Any API scope for reading allows all reads.", &["auth.scope.insufficient"])
        .exchange(|exchange| any_scope(exchange).boxed()),
    fault("auth.all-scopes", "The server refuses every key that lacks any API scope.", &["auth.scope.sufficient"])
        .exchange(|exchange| all_scopes(exchange).boxed()),
    fault("auth.scope-is-404", "A missing API scope gets the 404 of an unknown job.", &["auth.scope.insufficient"])
        .response(|response, _, _| {
            if lacks_scope(response) {
                *response = refusals::in_place_of(response, 404, "job_not_found", "Job not found");
            }
        }),
    fault("auth.scope-not-for-head", "HEAD needs no API scope.", &["auth.scope.insufficient"]).response(
        |response, request, _| {
            if request.method == Method::HEAD && lacks_scope(response) {
                response.status = 200;
                response.remove("www-authenticate");
            }
        },
    ),
    fault("auth.scope-unnamed", "WWW-Authenticate does not name the missing API scope.", &["auth.scope.insufficient"])
        .response(|response, _, _| {
            if lacks_scope(response) {
                response.change("www-authenticate", |challenge| without(challenge, &SCOPE));
            }
        }),
];

/// Returns the problem of a missing scope. A response to `HEAD` has no body, so use its challenge.
fn lacks_scope(response: &Response) -> bool {
    let tells = |text: Option<&str>| text.is_some_and(|text| text.contains("insufficient_scope"));
    response.status == 403 && (tells(response.code().as_deref()) || tells(response.header("www-authenticate")))
}

async fn scopes_ignored(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    if lacks_scope(&response) { with_scope(&exchange).await.unwrap_or(response) } else { response }
}

async fn any_scope(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    let key = exchange.request.key().filter(|_| lacks_scope(&response)).map(ToOwned::to_owned);
    let Some(key) = key.filter(|_| matches!(exchange.request.method, Method::GET | Method::HEAD)) else {
        return response;
    };
    for path in &ONE_OF_EACH_SCOPE[..4] {
        if exchange.send(Request::get(path).with_key(&key)).await.is_success() {
            return with_scope(&exchange).await.unwrap_or(response);
        }
    }
    response
}

/// Sends the request with another key of the same account that has the scope. The website of a record identifies the
/// account.
async fn with_scope(exchange: &Exchange) -> Option<Response> {
    let own = exchange.request.key()?;
    let mut website = None;
    for path in &ONE_OF_EACH_SCOPE[..4] {
        let page = exchange.send(Request::get(path).with_key(own)).await.json().unwrap_or_default();
        website = website.or_else(|| page["items"][0]["website_id"].as_str().map(ToOwned::to_owned));
    }
    for key in exchange.memory.world.keys() {
        if let Some(website) = &website
            && !may_see(exchange, &key, website).await
        {
            continue;
        }
        let response = exchange.send_as(&key).await;
        if response.status != 401 && !lacks_scope(&response) {
            return Some(response);
        }
    }
    None
}

async fn all_scopes(exchange: Exchange) -> Response {
    let is_keyed = exchange.request.operation().is_some_and(|operation| operation != Operation::CaptureLead);
    let key = exchange.request.key().filter(|_| is_keyed).map(ToOwned::to_owned);
    let refusal = match key {
        Some(key) => some_refusal(&exchange, &key).await,
        None => None,
    };
    let Some(mut refusal) = refusal else { return exchange.forward().await };
    refusal.edit(|problem| problem["instance"] = json!(exchange.request.public_path()));
    refusal
}

/// Returns the refusal of a key that lacks a scope, if any.
async fn some_refusal(exchange: &Exchange, key: &str) -> Option<Response> {
    let slot = format!("lacking: {key}");
    let known = exchange.memory.get(&slot);
    if known == Some(Value::Null) {
        return None;
    }
    for path in ONE_OF_EACH_SCOPE {
        if known.as_ref().is_some_and(|known| known != path) {
            continue;
        }
        let mut request = Request::get(path).with_key(key);
        if path.ends_with("/cancel") {
            request.method = Method::POST;
        }
        let response = exchange.send(request).await;
        if response.status == 401 {
            return None;
        }
        if lacks_scope(&response) {
            exchange.memory.put(&slot, path);
            return Some(response);
        }
    }
    exchange.memory.put(&slot, Value::Null);
    None
}
