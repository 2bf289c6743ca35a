//! The site's style sheet and its one script, built in.

use axum::response::{IntoResponse as _, Response};
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};

const STYLE: &str = include_str!("../../assets/site.css");
const SCRIPT: &str = include_str!("../../assets/lead-form.js");
/// Short, since the address does not change with the content.
const CACHING: HeaderValue = HeaderValue::from_static("public, max-age=300");

/// How pages look.
pub(super) async fn style() -> Response {
    asset(STYLE, "text/css; charset=utf-8")
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
