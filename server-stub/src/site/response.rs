//! Builds the responses of the hosted site, with entity tags and security headers, and the site's built-in files.

use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED,
    REFERRER_POLICY,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use super::cache::Rendered;
use crate::domain::clock::Timestamp;
use crate::domain::validators::{is_current, last_modified};

/// Allows scripts and styles from this server only, and pictures from any https address.
const SECURITY_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' https: data:; connect-src 'self'; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
);
pub(super) const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");
pub(super) const RSS: HeaderValue = HeaderValue::from_static("application/rss+xml; charset=utf-8");
pub(super) const XML: HeaderValue = HeaderValue::from_static("application/xml; charset=utf-8");
const STYLE: &str = include_str!("../../assets/site.css");
const ICON: &str = include_str!("../../assets/site-icon.svg");
const SCRIPT: &str = include_str!("../../assets/lead-form.js");
/// Excludes the API, lead capture and the dashboard. Each website links its own sitemap: a list of sitemaps here would disclose
/// all websites.
const ROBOTS: &str = "User-agent: *\nDisallow: /api/\nDisallow: /capture/\nDisallow: /dashboard\n";
/// Short, because the address does not change with the content.
const CACHING: HeaderValue = HeaderValue::from_static("public, max-age=300");

/// Returns a text of the site. A cache may store it but must revalidate it for each request.
pub(super) fn text(status: StatusCode, media_type: HeaderValue, text: impl Into<Bytes>) -> Response {
    let mut response = (status, text.into()).into_response();
    let headers: [(HeaderName, HeaderValue); 4] = [
        (CONTENT_TYPE, media_type),
        (CACHE_CONTROL, HeaderValue::from_static("public, no-cache")),
        (CONTENT_SECURITY_POLICY, SECURITY_POLICY),
        (REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin")),
    ];
    for (name, value) in headers {
        response.headers_mut().insert(name, value);
    }
    response
}

/// Returns a page, or 304 if the client has the current version.
pub(super) fn current(request: &HeaderMap, page: Rendered, now: Timestamp) -> Response {
    let lines = |name: HeaderName| -> Vec<_> {
        request.get_all(name).iter().map(|value| value.to_str().unwrap_or_default()).collect()
    };
    let changed_at = page.changed_at.and_then(|changed_at| last_modified(changed_at, now));
    let is_current = is_current(&lines(IF_NONE_MATCH), &lines(IF_MODIFIED_SINCE), &page.tag, changed_at.as_deref());
    let mut response = if is_current {
        let mut response = text(StatusCode::NOT_MODIFIED, page.media_type, Bytes::new());
        response.headers_mut().remove(CONTENT_TYPE);
        response
    } else {
        text(StatusCode::OK, page.media_type, page.body)
    };
    for (name, value) in [(ETAG, Some(page.tag)), (LAST_MODIFIED, changed_at)] {
        if let Some(value) = value {
            response.headers_mut().insert(name, HeaderValue::from_str(&value).expect("tags and dates are ASCII"));
        }
    }
    response
}

/// Returns the style sheet.
pub(super) async fn style() -> Response {
    asset(STYLE, "text/css; charset=utf-8")
}

/// Returns the icon.
pub(super) async fn icon() -> Response {
    asset(ICON, "image/svg+xml")
}

/// Returns `robots.txt` (RFC 9309).
pub(super) async fn robots() -> Response {
    asset(ROBOTS, "text/plain; charset=utf-8")
}

/// Returns the script that sends the lead form without leaving the page. The form also works without it.
pub(super) async fn script() -> Response {
    asset(SCRIPT, "text/javascript; charset=utf-8")
}

fn asset(text: &'static str, media_type: &'static str) -> Response {
    let mut response = text.into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    response.headers_mut().insert(CACHE_CONTROL, CACHING);
    response
}
