//! What is kept of a receiver's answer: bounded, and without what is secret between it and others. What follows from it is
//! decided in `domain::hook`.

use std::time::Duration;

use reqwest::Response;
use reqwest::header::{
    AUTHORIZATION, COOKIE, HeaderMap, HeaderName, LOCATION, PROXY_AUTHORIZATION, RETRY_AFTER, SET_COOKIE,
};

use crate::domain::hook::{DELIVERY_HEADER, MAX_KEPT_HEADER_BYTES, MAX_KEPT_HEADERS};

/// Bytes of an answer that are read; more are not waited for.
const ANSWER_READ: usize = 64 * 1024;
/// Bytes of an answer that are kept for the delivery log.
const ANSWER_KEPT: usize = 4 * 1024;
/// Names of headers whose values are nobody's business.
const SECRET: [HeaderName; 4] = [SET_COOKIE, AUTHORIZATION, PROXY_AUTHORIZATION, COOKIE];
/// Kept before all others: something follows from them, or they explain the status.
const FIRST: [HeaderName; 3] = [HeaderName::from_static(DELIVERY_HEADER), RETRY_AFTER, LOCATION];

/// `Retry-After` in its form of seconds, the only one that needs no clock of the receiver's.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?;
    value.trim().parse().ok().map(Duration::from_secs)
}

/// The headers to keep.
pub(super) fn kept_headers(headers: &HeaderMap) -> Vec<(String, String)> {
    let first = headers.iter().filter(|(name, _)| FIRST.contains(name));
    let others = headers.iter().filter(|(name, _)| !FIRST.contains(name));
    let of_sane_length = first.chain(others).filter(|(name, _)| name.as_str().len() <= MAX_KEPT_HEADER_BYTES / 2);
    let kept = of_sane_length.take(MAX_KEPT_HEADERS).map(|(name, value)| {
        let value = if SECRET.contains(name) {
            "(not kept)".to_owned()
        } else {
            let mut value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            value.truncate(value.floor_char_boundary(MAX_KEPT_HEADER_BYTES - name.as_str().len()));
            value
        };
        (name.as_str().to_owned(), value)
    });
    kept.collect()
}

/// The beginning of the body. It is read a little further, so that most connections can be used again; an answer that
/// breaks off or never ends changes nothing about its status.
pub(super) async fn read_head(mut response: Response) -> String {
    let mut head = Vec::new();
    let mut read = 0;
    while read < ANSWER_READ {
        let Ok(Some(chunk)) = response.chunk().await else { break };
        read += chunk.len();
        let missing = ANSWER_KEPT - head.len();
        head.extend_from_slice(&chunk[..chunk.len().min(missing)]);
    }
    String::from_utf8_lossy(&head).into_owned()
}
