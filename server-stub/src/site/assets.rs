//! The site's style sheet, its icon and its one script, built in, and what robots are told.

use axum::response::{IntoResponse as _, Response};
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};

const STYLE: &str = include_str!("../../assets/site.css");
const ICON: &str = include_str!("../../assets/site-icon.svg");
const SCRIPT: &str = include_str!("../../assets/lead-form.js");
/// Robots have no business where users work and programs call. Of a website each tells its own sitemap: a list of them here
/// would tell anybody whose they are.
const ROBOTS: &str = "User-agent: *\nDisallow: /api/\nDisallow: /capture/\nDisallow: /dashboard\n";
/// Short, since the address does not change with the content.
const CACHING: HeaderValue = HeaderValue::from_static("public, max-age=300");

/// How pages look.
pub(super) async fn style() -> Response {
    asset(STYLE, "text/css; charset=utf-8")
}

/// What a browser shows beside the title.
pub(super) async fn icon() -> Response {
    asset(ICON, "image/svg+xml")
}

/// What robots shall leave alone (RFC 9309).
pub(super) async fn robots() -> Response {
    asset(ROBOTS, "text/plain; charset=utf-8")
}

/// Sends the lead form without leaving the page; without it the form works all the same.
pub(super) async fn script() -> Response {
    asset(SCRIPT, "text/javascript; charset=utf-8")
}

fn asset(text: &'static str, media_type: &'static str) -> Response {
    let mut response = text.into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    response.headers_mut().insert(CACHE_CONTROL, CACHING);
    response
}
