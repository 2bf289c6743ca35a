//! What the delivery log keeps of a receiver's response: bounded, and without secrets. What follows from it is decided in
//! `domain::hook`.

use std::time::Duration;

use reqwest::Response;
use reqwest::header::{
    AUTHORIZATION, COOKIE, HeaderMap, HeaderName, LOCATION, PROXY_AUTHORIZATION, RETRY_AFTER, SET_COOKIE,
};

use crate::domain::hook::{DELIVERY_HEADER, MAX_KEPT_HEADER_BYTES, MAX_KEPT_HEADERS};

/// Most bytes read of a response body.
const MAX_BODY_BYTES_READ: usize = 64 * 1024;
/// Most bytes of a response body that the delivery log keeps.
const MAX_BODY_BYTES_KEPT: usize = 4 * 1024;
/// Headers whose values are not kept.
const SECRET_HEADERS: [HeaderName; 4] = [SET_COOKIE, AUTHORIZATION, PROXY_AUTHORIZATION, COOKIE];
/// Headers kept before all others, because they decide what follows or explain the status.
const PRIORITY_HEADERS: [HeaderName; 3] = [HeaderName::from_static(DELIVERY_HEADER), RETRY_AFTER, LOCATION];

/// `Retry-After` in seconds. Its form with a date is ignored, because the receiver's clock may be wrong.
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?;
    value.trim().parse().ok().map(Duration::from_secs)
}

/// The headers that the delivery log keeps.
pub(super) fn kept_headers(headers: &HeaderMap) -> Vec<(String, String)> {
    let first = headers.iter().filter(|(name, _)| PRIORITY_HEADERS.contains(name));
    let others = headers.iter().filter(|(name, _)| !PRIORITY_HEADERS.contains(name));
    let with_short_names = first.chain(others).filter(|(name, _)| name.as_str().len() <= MAX_KEPT_HEADER_BYTES / 2);
    let kept = with_short_names.take(MAX_KEPT_HEADERS).map(|(name, value)| {
        let value = if SECRET_HEADERS.contains(name) {
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

/// The first bytes of the body. More is read than kept, so that most connections can be reused. A body that breaks off
/// does not change the outcome: the status decides.
pub(super) async fn read_body_start(mut response: Response) -> String {
    let mut head = Vec::new();
    let mut read = 0;
    while read < MAX_BODY_BYTES_READ {
        let Ok(Some(chunk)) = response.chunk().await else { break };
        read += chunk.len();
        let missing = MAX_BODY_BYTES_KEPT - head.len();
        head.extend_from_slice(&chunk[..chunk.len().min(missing)]);
    }
    String::from_utf8_lossy(&head).into_owned()
}
