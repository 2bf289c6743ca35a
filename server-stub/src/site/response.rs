//! Builds the responses of the hosted site, with entity tags and security headers.

use axum::response::{IntoResponse as _, Response};
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, LAST_MODIFIED, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use crate::domain::clock::Timestamp;
use crate::domain::entity_tag::{entity_tag, is_listed};

/// Allows scripts and styles from this server only, and pictures from any https address.
const SECURITY_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' https: data:; connect-src 'self'; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
);

pub(super) const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");
pub(super) const RSS: HeaderValue = HeaderValue::from_static("application/rss+xml; charset=utf-8");
pub(super) const XML: HeaderValue = HeaderValue::from_static("application/xml; charset=utf-8");

/// Returns a text of the site. A cache may store it but must revalidate it for each request.
pub(super) fn text(status: StatusCode, media_type: HeaderValue, text: String) -> Response {
    let mut response = (status, text).into_response();
    let headers: [(HeaderName, HeaderValue); 5] = [
        (CONTENT_TYPE, media_type),
        (CACHE_CONTROL, HeaderValue::from_static("public, no-cache")),
        (CONTENT_SECURITY_POLICY, SECURITY_POLICY),
        (REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin")),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    for (name, value) in headers {
        response.headers_mut().insert(name, value);
    }
    response
}

/// Returns a text with an entity tag, or 304 if the client has the current version. Only the entity tag is compared, because a page
/// may change without a change of its article.
pub(super) fn current(request: &HeaderMap, media_type: HeaderValue, body: String, changed_at: Timestamp) -> Response {
    let tag = entity_tag(body.as_bytes());
    let mut lines = request.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut response = if lines.any(|line| is_listed(line, &tag)) {
        let mut response = text(StatusCode::NOT_MODIFIED, media_type, String::new());
        response.headers_mut().remove(CONTENT_TYPE);
        response
    } else {
        text(StatusCode::OK, media_type, body)
    };
    let changed_at = httpdate::fmt_http_date(std::time::SystemTime::from(changed_at.to_chrono()));
    for (name, value) in [(ETAG, tag), (LAST_MODIFIED, changed_at)] {
        response.headers_mut().insert(name, HeaderValue::from_str(&value).expect("tags and dates are ASCII"));
    }
    response
}
