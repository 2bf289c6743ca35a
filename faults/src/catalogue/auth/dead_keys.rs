//! Revoked and expired keys.

use futures::future::FutureExt;
use http::Method;
use serde_json::json;

use super::super::fault::{Fault, fault};
use super::super::refusals;
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

const REVOKED: &[&str] = &["auth.revoked-key.refused"];
const REVOKED_TOLD: &[&str] = &["auth.revoked-key.one-text"];
const EXPIRED: &[&str] = &["auth.expired-key.refused"];
const EXPIRED_TOLD: &[&str] = &["auth.expired-key.one-text"];

/// Minimum length of a real key. Shorter ones are made up by callers.
const SHORTEST: usize = 16;

pub(super) const FAULTS: &[Fault] = &[
    fault("auth.revoked-reads", "Reads accept a revoked key.", REVOKED)
        .exchange(|exchange| goes_on(exchange, |request| request.method == Method::GET).boxed()),
    fault("auth.revoked-orders", "POST /generate accepts a revoked key.", REVOKED)
        .exchange(|exchange| goes_on(exchange, |request| request.is(Operation::Generate)).boxed()),
    fault("auth.expired-goes-on", "The server accepts an expired key.", EXPIRED)
        .exchange(|exchange| goes_on(exchange, |_| true).boxed()),
    fault("auth.expired-cancels", "Cancelling accepts an expired key.", EXPIRED)
        .exchange(|exchange| goes_on(exchange, |request| request.is(Operation::CancelJob)).boxed()),
    fault("auth.expired-is-403", "An expired key gets 403.", EXPIRED).exchange(|exchange| {
        told(exchange, |refusal| {
            *refusal = refusals::in_place_of(refusal, 403, "insufficient_scope", "Insufficient scope");
        })
        .boxed()
    }),
    fault("auth.revoked-told", "The detail says that the key was revoked.", REVOKED_TOLD).exchange(|exchange| {
        told(exchange, |refusal| refusal.edit(|problem| problem["detail"] = json!("The key was revoked."))).boxed()
    }),
    fault("auth.expired-told", "The title says that the key has expired.", EXPIRED_TOLD).exchange(|exchange| {
        told(exchange, |refusal| refusal.edit(|problem| problem["title"] = json!("Expired credentials"))).boxed()
    }),
];

/// Returns true if a refused key was once valid: it is as long as one and not derived from a working key.
fn was_a_key(exchange: &Exchange, refusal: &Response) -> bool {
    let Some(sent) = exchange.request.key().filter(|key| key.len() >= SHORTEST && refusal.status == 401) else {
        return false;
    };
    let sent = sent.to_lowercase();
    exchange.memory.world.keys().iter().all(|key| {
        let key = key.to_lowercase();
        // Keys made up by callers start differently.
        let begins_alike = key.bytes().zip(sent.bytes()).take_while(|(one, other)| one == other).count() >= 4;
        begins_alike && !sent.contains(&key) && !key.contains(&sent)
    })
}

async fn goes_on(exchange: Exchange, concerns: fn(&Request) -> bool) -> Response {
    let response = exchange.forward().await;
    let first = exchange.memory.world.keys().into_iter().next();
    match first.filter(|_| concerns(&exchange.request) && was_a_key(&exchange, &response)) {
        Some(key) => exchange.send_as(&key).await,
        None => response,
    }
}

async fn told(exchange: Exchange, tell: fn(&mut Response)) -> Response {
    let mut response = exchange.forward().await;
    if was_a_key(&exchange, &response) {
        tell(&mut response);
    }
    response
}
