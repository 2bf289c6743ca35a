//! What a key may be used for.

use futures::future::FutureExt;
use http::Method;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::super::limits::purse::may_see;
use super::super::refusals;
use super::challenge::{SCOPE, without};
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

/// Requests that read next to nothing, one for each scope of the document. The last takes a POST.
const ONE_OF_EACH_SCOPE: [&str; 5] = [
    "/api/v1/articles?limit=1",
    "/api/v1/leads?limit=1",
    "/api/v1/scheduled_posts?limit=1",
    "/api/v1/websites?limit=1",
    "/api/v1/jobs/nobody/cancel",
];

pub(super) const FAULTS: &[Fault] = &[
    fault("auth.scopes-ignored", "What a key may be used for is not checked.", &["auth.scope.insufficient"])
        .exchange(|exchange| scopes_ignored(exchange).boxed()),
    fault("auth.any-scope", "A scope for reading one thing lets read everything.", &["auth.scope.insufficient"])
        .exchange(|exchange| any_scope(exchange).boxed()),
    fault("auth.all-scopes", "A key without every scope may do nothing.", &["auth.scope.sufficient"])
        .exchange(|exchange| all_scopes(exchange).boxed()),
    fault(
        "auth.scope-is-404",
        "A missing scope is answered as if the job did not exist.",
        &["auth.scope.insufficient"],
    )
    .response(|response, _, _| {
        if lacks_scope(response) {
            *response = refusals::in_place_of(response, 404, "job_not_found", "Job not found");
        }
    }),
    fault("auth.scope-unnamed", "WWW-Authenticate does not name the missing scope.", &["auth.scope.insufficient"])
        .response(|response, _, _| {
            if lacks_scope(response) {
                response.change("www-authenticate", |challenge| without(challenge, &SCOPE));
            }
        }),
];

/// The problem of a missing scope; to `HEAD` it has no body, and the challenge tells.
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

/// What another key of the same account gets, one that has the scope. Whose a key is, the website of any record tells.
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

/// What a key gets where it lacks a scope, if it lacks any.
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
