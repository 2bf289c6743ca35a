//! Built-in files of the site: style sheet, icon, script and `robots.txt`.

use axum::response::{IntoResponse as _, Response};
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};

const STYLE: &str = include_str!("../../assets/site.css");
const ICON: &str = include_str!("../../assets/site-icon.svg");
const SCRIPT: &str = include_str!("../../assets/lead-form.js");
/// Excludes the API, lead capture and the dashboard. Each website links its own sitemap: a list of sitemaps here would disclose all
/// websites.
const ROBOTS: &str = "User-agent: *\nDisallow: /api/\nDisallow: /capture/\nDisallow: /dashboard\n";
/// Short, because the address does not change with the content.
const CACHING: HeaderValue = HeaderValue::from_static("public, max-age=300");

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
