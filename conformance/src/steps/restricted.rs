//! Steps with the key that may use another website of the account, and not the one under test.

use std::sync::Arc;

use serde_json::{Value, json};

use super::calls;
use crate::check::{Context, Credential, Exchange, Halt, Request, demand};

/// Refusals that come from the set-up: the key needs every scope and an active website.
const SET_UP: [&str; 2] = ["insufficient_scope", "website_inactive"];

/// Sends the request with that key.
pub(crate) async fn send(context: &Context, request: Request) -> Result<Arc<Exchange>, Halt> {
    context.send(request.by(Credential::Restricted)).await
}

/// Sends a request that the key may make.
///
/// # Errors
/// `Inconclusive` if the key has too few scopes or its website is not active.
pub(crate) async fn send_own(context: &Context, request: Request) -> Result<Arc<Exchange>, Halt> {
    let exchange = send(context, request).await?;
    match exchange.code() {
        Some(code) if SET_UP.contains(&code) => {
            let line = exchange.line();
            Err(Halt::inconclusive(format!(
                "the restricted key needs every scope and an active website: {code}, for {line}"
            )))
        }
        _ => Ok(exchange),
    }
}

/// Returns a request body for the website that the key may use.
pub(crate) fn own_order(context: &Context, topic: &str) -> Value {
    let mut body = calls::quiet_request(context, topic);
    body["website_id"] = json!(context.facts().restricted_website_id);
    body
}

/// Makes sure that the key is valid. Otherwise its refusals say nothing about the restriction.
pub(crate) async fn is_live(context: &Context) -> Result<(), Halt> {
    let listed = send(context, Request::new("list_websites", "GET", "/websites?limit=100")).await?;
    if listed.succeeded() {
        return Ok(());
    }
    let seen = demand::seen(&listed);
    Err(Halt::inconclusive(format!("the restricted key lists no websites: is it valid, with every scope? {seen}")))
}
