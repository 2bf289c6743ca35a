//! Keys that worked once and must not any more: revoked, or expired.

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

/// The shortest key that is one in its own right, and not something that a caller made up.
const SHORTEST: usize = 16;

pub(super) const FAULTS: &[Fault] = &[
    fault("auth.revoked-reads", "Reads do not look whether the key was revoked.", REVOKED)
        .exchange(|exchange| goes_on(exchange, |request| request.method == Method::GET).boxed()),
    fault("auth.revoked-orders", "Ordering does not look whether the key was revoked.", REVOKED)
        .exchange(|exchange| goes_on(exchange, |request| request.is(Operation::Generate)).boxed()),
    fault("auth.expired-goes-on", "When a key expires is not looked at.", EXPIRED)
        .exchange(|exchange| goes_on(exchange, |_| true).boxed()),
    fault("auth.expired-cancels", "Cancelling does not look when the key expires.", EXPIRED)
        .exchange(|exchange| goes_on(exchange, |request| request.is(Operation::CancelJob)).boxed()),
    fault("auth.expired-is-403", "A key that has expired is answered 403.", EXPIRED).exchange(|exchange| {
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

/// Whether a refused key was one once: as long as one, and none that somebody made out of a key that works.
fn was_a_key(exchange: &Exchange, refusal: &Response) -> bool {
    let Some(sent) = exchange.request.key().filter(|key| key.len() >= SHORTEST && refusal.status == 401) else {
        return false;
    };
    let sent = sent.to_lowercase();
    exchange.memory.world.keys().iter().all(|key| {
        let key = key.to_lowercase();
        // What callers make up has another beginning.
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
