//! Steps with the key that may use another website of the account, and not the one under test.
//!
//! What it must not see is judged in `requirements::auth`.

use std::sync::Arc;

use serde_json::{Value, json};

use super::calls;
use crate::check::{Context, Credential, Exchange, Halt, Request, demand};

/// The request with that key.
pub(crate) async fn send(context: &Context, request: Request) -> Result<Arc<Exchange>, Halt> {
    context.send(request.by(Credential::Restricted)).await
}

/// An order for the website that the key may use.
pub(crate) fn own_order(context: &Context, topic: &str) -> Value {
    let mut body = calls::quiet_request(context, topic);
    body["website_id"] = json!(context.facts().restricted_website_id);
    body
}

/// The key is accepted at all: what it is refused says something only then.
pub(crate) async fn is_live(context: &Context) -> Result<(), Halt> {
    let listed = send(context, Request::new("list_websites", "GET", "/websites?limit=100")).await?;
    if listed.succeeded() {
        return Ok(());
    }
    let seen = demand::seen(&listed);
    Err(Halt::inconclusive(format!("the restricted key lists no websites: is it live, with every scope? {seen}")))
}
