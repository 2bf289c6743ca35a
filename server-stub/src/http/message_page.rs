//! A plain page with one message, for people who open the API's server in a browser.

use askama::Template;
use axum::body::Body;
use axum::response::Response;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use http::{HeaderValue, StatusCode};

use super::response::NO_STORE;
use super::route::Api;

/// A link on the page.
pub(super) struct Link {
    /// A path of this server.
    pub(super) path: String,
    pub(super) text: &'static str,
}

#[derive(Template)]
#[template(path = "message.html")]
struct Message<'a> {
    base: &'a str,
    title: &'a str,
    lines: &'a [String],
    links: &'a [Link],
}

/// Returns the page.
pub(super) fn page(api: &Api, status: StatusCode, title: &str, lines: &[String], links: &[Link]) -> Response {
    let html =
        Message { base: api.public_url.path(), title, lines, links }.render().expect("the template writes to a string");
    let mut response = Response::new(Body::from(html));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(CACHE_CONTROL, NO_STORE);
    headers.insert(
        CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"),
    );
    response
}
