//! Requests that are accepted without the right key.

use futures::future::FutureExt;

use super::super::fault::{Fault, fault};
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "auth.caller-kept",
        "The server uses the last caller's key for a request without a key.",
        &["auth.missing.refused"],
    )
    .exchange(|exchange| caller_kept(exchange).boxed()),
    fault("auth.article-open", "The server shows an article without a key.", &["auth.articles.refused"])
        .exchange(|exchange| article_open(exchange).boxed()),
    fault("auth.key-without-case", "The server compares keys without regard to case.", &["auth.wrong-key.refused"])
        .exchange(|exchange| {
            let_in(exchange, |sent, key| bearer(sent).is_some_and(|sent| sent.eq_ignore_ascii_case(key))).boxed()
        }),
    fault(
        "auth.key-prefix-enough",
        "The server accepts any text that begins with the key.",
        &["auth.wrong-key.refused"],
    )
    .exchange(|exchange| let_in(exchange, |sent, key| bearer(sent).is_some_and(|sent| sent.starts_with(key))).boxed()),
    fault("auth.key-cut", "The server does not compare the last character of the key.", &["auth.wrong-key.refused"])
        .exchange(|exchange| let_in(exchange, |sent, key| bearer(sent).is_some_and(|sent| is_cut(sent, key))).boxed()),
    fault("auth.key-in-quotes", "The server strips quotation marks around the key.", &["auth.wrong-key.refused"])
        .exchange(|exchange| {
            let_in(exchange, |sent, key| bearer(sent).is_some_and(|sent| sent.trim_matches('"') == key)).boxed()
        }),
    fault("auth.empty-let-in", "The server accepts `Bearer` without a key.", &["auth.header.empty"])
        .exchange(|exchange| let_in(exchange, |sent, _| sent.trim().eq_ignore_ascii_case("bearer")).boxed()),
    fault(
        "auth.key-searched",
        "The server accepts the key anywhere in the header.",
        &["auth.wrong-key.refused", "auth.scheme.others"],
    )
    .exchange(|exchange| let_in(exchange, |sent, key| sent.contains(key)).boxed()),
];

/// Accepts a request if its `Authorization` is close enough to a key that was accepted before.
async fn let_in(exchange: Exchange, is_enough: fn(&str, &str) -> bool) -> Response {
    let response = exchange.forward().await;
    let Some(sent) = exchange.request.header("authorization").filter(|_| response.status == 401) else {
        return response;
    };
    match exchange.memory.world.keys().iter().find(|key| is_enough(sent, key)) {
        Some(key) => exchange.send_as(key).await,
        None => response,
    }
}

fn bearer(header: &str) -> Option<&str> {
    let (scheme, key) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
}

fn is_cut(sent: &str, key: &str) -> bool {
    let compared = key.get(..key.len().saturating_sub(1)).filter(|compared| !compared.is_empty());
    compared.is_some_and(|compared| sent.starts_with(compared) && sent.len() <= key.len())
}

async fn caller_kept(exchange: Exchange) -> Response {
    if !is_keyed(&exchange.request) {
        return exchange.forward().await;
    }
    if let (None, Some(key)) = (exchange.request.header("authorization"), exchange.memory.text("last caller")) {
        return exchange.send_as(&key).await;
    }
    let response = exchange.forward().await;
    if let Some(key) = exchange.request.key().filter(|_| response.status != 401) {
        exchange.memory.put("last caller", key);
    }
    response
}

/// Returns true if the operation needs a key.
fn is_keyed(request: &Request) -> bool {
    request.operation().is_some_and(|operation| operation != Operation::CaptureLead)
}

async fn article_open(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    if !exchange.request.is(Operation::GetArticle) || response.status != 401 {
        return response;
    }
    let owner = exchange.request.id().and_then(|id| exchange.memory.world.owner_of(&id));
    let Some(owner) = owner else { return response };
    let read = exchange.send_as(&owner).await;
    if read.is_success() { read } else { response }
}
