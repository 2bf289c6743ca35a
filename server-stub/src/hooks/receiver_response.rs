//! Reduces a receiver's response to the part that the delivery log keeps: bounded, and without secrets. See `domain::hook` for the
//! retry decision.

use std::time::Duration;

use reqwest::Response;
use reqwest::header::{
    AUTHORIZATION, COOKIE, DATE, HeaderMap, HeaderName, LOCATION, PROXY_AUTHORIZATION, RETRY_AFTER, SET_COOKIE,
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

/// Returns the pause that `Retry-After` asks for, as a number of seconds or as a date. A date counts from the response's own `Date`,
/// because the receiver's clock may be wrong (RFC 9110, section 10.2.3).
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name| headers.get(name)?.to_str().ok().map(str::trim);
    let value = text(RETRY_AFTER)?;
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let time = |value| httpdate::parse_http_date(value).ok();
    time(value)?.duration_since(time(text(DATE)?)?).ok()
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

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: &str = "Sun, 06 Nov 1994 08:49:37 GMT";

    fn asked(retry_after: &str, date: Option<&str>) -> Option<u64> {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, retry_after.parse().unwrap());
        if let Some(date) = date {
            headers.insert(DATE, date.parse().unwrap());
        }
        super::retry_after(&headers).map(|pause| pause.as_secs())
    }

    #[test]
    fn a_pause_is_a_number_of_seconds_or_a_date_on_the_receivers_clock() {
        for (retry_after, date, expected) in [
            ("120", None, Some(120)),
            (" 7 ", Some(NOW), Some(7)),
            ("Sun, 06 Nov 1994 08:50:07 GMT", Some(NOW), Some(30)),
            ("Sunday, 06-Nov-94 08:50:07 GMT", Some(NOW), Some(30)),
            ("Mon, 07 Nov 1994 08:49:37 GMT", Some(NOW), Some(24 * 60 * 60)),
            (NOW, Some(NOW), Some(0)),
            ("Sun, 06 Nov 1994 08:49:36 GMT", Some(NOW), None),
            ("Sun, 06 Nov 1994 08:50:07 GMT", None, None),
            ("Sun, 06 Nov 1994 08:50:07 GMT", Some("today"), None),
            ("soon", Some(NOW), None),
            ("-1", Some(NOW), None),
            ("1.5", Some(NOW), None),
        ] {
            assert_eq!(asked(retry_after, date), expected, "{retry_after}, {date:?}");
        }
    }
}
