//! Successful responses, with entity tags.

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use http::{HeaderMap, HeaderValue, StatusCode};
use serde::Serialize;

use crate::domain::validators::is_listed;

/// Cacheable only by the caller, who must revalidate the response before each use.
pub(super) const REVALIDATE: HeaderValue = HeaderValue::from_static("private, no-cache");
/// Not cacheable.
pub(super) const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// Returns a JSON response.
pub(super) fn json(status: StatusCode, body: Bytes, caching: HeaderValue) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().insert(CACHE_CONTROL, caching);
    response
}

/// Returns the JSON of a value that always serializes.
pub(super) fn encode(value: &impl Serialize) -> Bytes {
    Bytes::from(serde_json::to_vec(value).expect("records of the domain always serialize"))
}

/// Returns true if `If-None-Match` is `*` or lists this tag: the caller has the current representation (RFC 9110 section
/// 13.1.2).
pub(super) fn matches_if_none_match(headers: &HeaderMap, tag: &str) -> bool {
    let mut lines = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    lines.any(|line| is_listed(line, tag))
}

/// Returns the response to a caller that already has the current representation.
pub(super) fn not_modified(tag: HeaderValue) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    response.headers_mut().insert(ETAG, tag);
    response.headers_mut().insert(CACHE_CONTROL, REVALIDATE);
    response
}

/// Returns a header value from a text that the server made.
pub(super) fn value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).expect("ids, tags and tokens of the server are ASCII")
}
