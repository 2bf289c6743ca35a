//! Reads request bodies within limits of size and time.

use std::time::Duration;

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, EXPECT};
use http_body_util::BodyExt as _;
use hyper::body::Body as _;
use tokio::time::{Instant, timeout_at};

use super::problem::{Code, Problem};

/// Maximum size of a request body in bytes (`request_body` under `x-limits`).
pub(super) const MAX_API_BODY_BYTES: usize = 64 * 1024;
/// Maximum size of a lead form in bytes (`capture_body` under `x-limits`).
pub(super) const MAX_CAPTURE_BODY_BYTES: usize = 16 * 1024;
/// Maximum number of bytes of a refused body that are read and discarded.
const MAX_DISCARDED_BYTES: usize = 4 * 1024 * 1024;
/// Maximum time for reading and discarding a refused body.
const DISCARD_TIMEOUT: Duration = Duration::from_secs(2);

/// Refuses every media type except `application/json`; ignores parameters.
pub(super) fn check_json(headers: &HeaderMap) -> Result<(), Problem> {
    if media_type(headers).as_deref() == Some("application/json") {
        return Ok(());
    }
    Err(Problem::new(Code::UnsupportedMediaType, "Send the body as application/json, without Content-Encoding."))
}

/// Returns the media type in lower case, without parameters. Returns `None` without exactly one media type, or if the body
/// has a content encoding.
pub(super) fn media_type(headers: &HeaderMap) -> Option<String> {
    let is_encoded =
        headers.get_all(CONTENT_ENCODING).iter().any(|value| !value.as_bytes().eq_ignore_ascii_case(b"identity"));
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let value = values.next().filter(|_| !is_encoded)?.to_str().ok()?;
    let essence = value.split(';').next().unwrap_or_default().trim_matches([' ', '\t']);
    values.next().is_none().then(|| essence.to_ascii_lowercase())
}

/// Reads the whole body: at most `limit` bytes, within `time`.
pub(super) async fn read(headers: &HeaderMap, mut body: Body, limit: usize, time: Duration) -> Result<Bytes, Problem> {
    if content_length(headers).is_some_and(|length| length > limit as u64) {
        discard(headers, body).await;
        return Err(too_large(limit));
    }
    let deadline = Instant::now() + time;
    let mut first = Bytes::new();
    let mut whole = BytesMut::new();
    while !body.is_end_stream() {
        let frame = timeout_at(deadline, body.frame()).await;
        let frame = frame.map_err(|_| too_late(time))?;
        let Some(frame) = frame else { break };
        let frame = frame.map_err(|_| Problem::new(Code::InvalidHeader, "The body ended early or is malformed."))?;
        let Ok(data) = frame.into_data() else { continue };
        if first.len() + whole.len() + data.len() > limit {
            discard(headers, body).await;
            return Err(too_large(limit));
        }
        // Nearly every body arrives in one piece and needs no copy.
        if first.is_empty() && whole.is_empty() {
            first = data;
        } else {
            whole.extend_from_slice(&std::mem::take(&mut first));
            whole.extend_from_slice(&data);
        }
    }
    Ok(if whole.is_empty() { first } else { whole.freeze() })
}

/// Reads and drops the body of an operation that has none. Still refuses a body that is too large.
pub(super) async fn ignore(headers: &HeaderMap, body: Body, time: Duration) -> Result<(), Problem> {
    if body.is_end_stream() { Ok(()) } else { read(headers, body, MAX_API_BODY_BYTES, time).await.map(drop) }
}

/// Reads and discards a refused body within the limits above, so that the client receives the response. Skips it if the client
/// waits for `100 Continue`: it has sent nothing yet.
pub(super) async fn discard(headers: &HeaderMap, mut body: Body) {
    let deadline = Instant::now() + DISCARD_TIMEOUT;
    let mut seen = 0;
    while seen < MAX_DISCARDED_BYTES && !body.is_end_stream() && !headers.contains_key(EXPECT) {
        let Ok(Some(Ok(frame))) = timeout_at(deadline, body.frame()).await else { return };
        seen += frame.data_ref().map_or(0, Bytes::len);
    }
}

fn content_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn too_late(time: Duration) -> Problem {
    Problem::new(Code::RequestTimeout, format!("The body did not arrive within {} seconds.", time.as_secs_f32()))
}

fn too_large(limit: usize) -> Problem {
    Problem::new(Code::PayloadTooLarge, format!("The body is larger than {} KiB.", limit / 1024))
}
