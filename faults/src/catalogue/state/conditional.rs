//! Entity tags and `If-None-Match` where a fault decides in the server's place, which is asked without the condition then.

use std::fmt::Write as _;

use bytes::Bytes;
use sha2::{Digest as _, Sha256};

use crate::edge::Exchange;
use crate::message::{Request, Response};

/// A strong entity tag that depends on `what` alone.
pub(in crate::catalogue) fn tag_of(what: &str) -> String {
    let mut tag = "\"".to_owned();
    for byte in &Sha256::digest(what.as_bytes())[..16] {
        // Writing to a string never fails.
        let _ = write!(tag, "{byte:02x}");
    }
    tag + "\""
}

/// The tags that the caller holds, quotes included, without their `W/`. A comma may stand inside the quotes.
pub(in crate::catalogue) fn held_tags(request: &Request) -> Vec<String> {
    let mut tags = Vec::new();
    for line in lines(request) {
        let mut rest = line;
        while let Some((_, begun)) = rest.split_once('"') {
            let Some((tag, after)) = begun.split_once('"') else { break };
            tags.push(format!("\"{tag}\""));
            rest = after;
        }
    }
    tags
}

/// Whether the caller holds anything, whatever it is.
pub(in crate::catalogue) fn holds_anything(request: &Request) -> bool {
    lines(request).any(|line| line.trim() == "*")
}

/// Whether the caller holds what has this tag, as RFC 9110 compares.
pub(in crate::catalogue) fn holds(request: &Request, tag: &str) -> bool {
    let tag = tag.trim_start_matches("W/");
    holds_anything(request) || held_tags(request).iter().any(|held| held == tag)
}

fn lines(request: &Request) -> impl Iterator<Item = &str> {
    request.headers.get_all("if-none-match").iter().filter_map(|line| line.to_str().ok())
}

/// Asks for the representation, whatever the caller holds.
pub(in crate::catalogue) async fn whole(exchange: &Exchange) -> Response {
    let mut request = exchange.request.clone();
    request.remove("if-none-match");
    exchange.send(request).await
}

/// Asks for the representation, and decides with `is_held` whether the caller holds what has this tag.
pub(in crate::catalogue) async fn decide(exchange: &Exchange, is_held: impl FnOnce(&str) -> bool + Send) -> Response {
    let response = whole(exchange).await;
    let is_held = response.is_success() && response.header("etag").is_some_and(is_held);
    if is_held { not_modified(response) } else { response }
}

/// Asks for the representation, gives it another tag, and decides by that what the caller holds.
pub(in crate::catalogue) async fn with_tag(
    exchange: &Exchange,
    tag: impl FnOnce(&Response) -> String + Send,
) -> Response {
    let mut response = whole(exchange).await;
    if !response.is_success() {
        return response;
    }
    let tag = tag(&response);
    response.set("etag", &tag);
    if holds(&exchange.request, &tag) { not_modified(response) } else { response }
}

/// The 304 to who holds it already.
pub(in crate::catalogue) fn not_modified(mut response: Response) -> Response {
    response.status = 304;
    response.body = Bytes::new();
    for name in ["content-type", "content-length", "last-modified"] {
        response.remove(name);
    }
    response
}
