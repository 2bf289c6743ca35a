//! Reduces a receiver's response to the part that the delivery log keeps: bounded, and without secrets. See `domain::hook` for the
//! retry decision.

use std::time::Duration;

use reqwest::Response;
use reqwest::header::{
    AUTHORIZATION, COOKIE, HeaderMap, HeaderName, LOCATION, PROXY_AUTHORIZATION, RETRY_AFTER, SET_COOKIE,
};

use crate::domain::hook::{DELIVERY_HEADER, MAX_KEPT_HEADER_BYTES, MAX_KEPT_HEADERS};

/// Maximum number of bytes read from a response body.
const MAX_BODY_BYTES_READ: usize = 64 * 1024;
/// Maximum number of bytes of a response body in the delivery log.
const MAX_BODY_BYTES_KEPT: usize = 4 * 1024;
/// Headers whose values are secret. The log keeps their names, with `(not kept)` as the value.
const SECRET_HEADERS: [HeaderName; 4] = [SET_COOKIE, AUTHORIZATION, PROXY_AUTHORIZATION, COOKIE];
/// Headers that are kept first, because they affect the retry decision or explain the status.
const PRIORITY_HEADERS: [HeaderName; 3] = [HeaderName::from_static(DELIVERY_HEADER), RETRY_AFTER, LOCATION];

/// Parses `Retry-After` in seconds. Ignores the date form, because the receiver's clock may be wrong.
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?;
    value.trim().parse().ok().map(Duration::from_secs)
}

/// Returns the headers that the delivery log keeps.
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

/// Reads the body and returns its first bytes. It reads more than it keeps, so that most connections can be reused. A truncated
/// body does not change the outcome: the status decides.
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
