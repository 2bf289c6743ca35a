//! Entity tags and `If-None-Match` for faults that decide themselves. The server gets the request without the
//! condition.

use std::fmt::Write as _;

use bytes::Bytes;
use sha2::{Digest as _, Sha256};

use crate::edge::Exchange;
use crate::message::{Request, Response};

/// Returns a strong entity tag that depends only on `what`.
pub(in crate::catalogue) fn tag_of(what: &str) -> String {
    let mut tag = "\"".to_owned();
    for byte in &Sha256::digest(what.as_bytes())[..16] {
        // Writing to a string never fails.
        let _ = write!(tag, "{byte:02x}");
    }
    tag + "\""
}

/// Returns the caller's tags with their quotes but without `W/`. A quoted tag may contain commas.
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

/// Returns true if the caller sent any tag.
pub(in crate::catalogue) fn holds_anything(request: &Request) -> bool {
    lines(request).any(|line| line.trim() == "*")
}

/// Returns true if the caller has the representation with this tag, by the comparison of RFC 9110.
pub(in crate::catalogue) fn holds(request: &Request, tag: &str) -> bool {
    let tag = tag.trim_start_matches("W/");
    holds_anything(request) || held_tags(request).iter().any(|held| held == tag)
}

fn lines(request: &Request) -> impl Iterator<Item = &str> {
    request.headers.get_all("if-none-match").iter().filter_map(|line| line.to_str().ok())
}

/// Requests the representation without a condition.
pub(in crate::catalogue) async fn whole(exchange: &Exchange) -> Response {
    let mut request = exchange.request.clone();
    request.remove("if-none-match");
    exchange.send(request).await
}

/// Requests the representation, and decides with `is_held` if the caller has the one with this tag.
pub(in crate::catalogue) async fn decide(exchange: &Exchange, is_held: impl FnOnce(&str) -> bool + Send) -> Response {
    let response = whole(exchange).await;
    let is_held = response.is_success() && response.header("etag").is_some_and(is_held);
    if is_held { not_modified(response) } else { response }
}

/// Requests the representation, replaces its tag, and compares that with the caller's.
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

/// Returns the 304 for a caller that has the representation.
pub(in crate::catalogue) fn not_modified(mut response: Response) -> Response {
    response.status = 304;
    response.body = Bytes::new();
    for name in ["content-type", "content-length", "last-modified"] {
        response.remove(name);
    }
    response
}
