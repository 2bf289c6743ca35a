//! Plain pages for people who open the API's server in a browser, error pages of the hosted site, and the server's health.

use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, StatusCode};

use super::problem::{Code, Problem};
use super::response::NO_STORE;
use super::route::Api;
use crate::app::Readiness;
use crate::domain::public_url::PublicUrl;

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

/// Returns the page, whose links start with the path of `url`.
pub(super) fn page(url: &PublicUrl, status: StatusCode, title: &str, lines: &[String], links: &[Link]) -> Response {
    let mut response = Response::default();
    *response.status_mut() = status;
    show(&mut response, &Message { base: url.path(), title, lines, links });
    response
}

/// Replaces the body of a response by a page. Keeps its other headers.
fn show(response: &mut Response, message: &Message<'_>) {
    let html = message.render().expect("the template writes to a string");
    let headers = response.headers_mut();
    headers.insert(CONTENT_LENGTH, HeaderValue::from(html.len()));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(CACHE_CONTROL, NO_STORE);
    headers.insert(
        CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; \
             frame-ancestors 'none'",
        ),
    );
    *response.body_mut() = Body::from(html);
}

/// Turns an error on the hosted site into a page for readers. Keeps the headers of the error, such as `Allow`. A malformed
/// address is an address without a page.
pub(super) fn turn_into_reader_page(response: &mut Response, problem: Option<Problem>, base: &str) {
    if response.status() == StatusCode::BAD_REQUEST {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    let (title, text) = match response.status() {
        StatusCode::NOT_FOUND => (
            "Page not found",
            "There is nothing at this address. The article may have been taken down, or the link may be mistyped.",
        ),
        StatusCode::METHOD_NOT_ALLOWED => {
            ("Nothing can be sent here", "This address only shows a page. The form of an article sends messages.")
        }
        StatusCode::TOO_MANY_REQUESTS => {
            ("Too many requests", "Too many pages were requested from your network. Please try again in a minute.")
        }
        status if status.is_server_error() => {
            ("Not available just now", "Something went wrong on our side. Please try again in a moment.")
        }
        _ => ("This request cannot be handled", "The address or the request is too long."),
    };
    show(response, &Message { base, title, lines: &[text.to_owned()], links: &[] });
    if let Some(problem) = problem {
        problem.add_headers(response.headers_mut());
    }
}

/// Responds that the process is running.
pub(super) async fn healthz() -> &'static str {
    "ok\n"
}

/// Responds whether the process can work, or with one word why not.
pub(super) async fn readyz(State(api): State<Arc<Api>>) -> Response {
    let reason = match api.app.readiness().await {
        Readiness::Ready => return "ready\n".into_response(),
        Readiness::Draining => "draining\n",
        Readiness::DatabaseAway => "database\n",
    };
    (Code::Unavailable.row().1, [(RETRY_AFTER, "5")], reason).into_response()
}

/// Explains a problem code. The `Link` of each problem leads here.
pub(super) async fn problem(State(api): State<Arc<Api>>, Path(code): Path<String>) -> Response {
    let Some(code) = Code::parse(&code) else {
        return Problem::new(Code::RouteNotFound, "There is no problem with this code.").into_response();
    };
    let (name, status, title) = code.row();
    let lines = [
        format!("Code: {name}"),
        format!("HTTP status: {}", status.as_u16()),
        format!("Type: {}", code.type_uri()),
        "The reference shows which operations respond with it, and examples.".to_owned(),
    ];
    let links = [
        Link { path: format!("/docs#problem-{name}"), text: "In the API reference" },
        Link { path: "/openapi.yaml".to_owned(), text: "The OpenAPI document" },
    ];
    page(&api.public_url, StatusCode::OK, title, &lines, &links)
}

/// Shows the home page.
pub(super) async fn home(State(api): State<Arc<Api>>) -> Response {
    let lines = [
        "This server keeps the Content Generation Service API.".to_owned(),
        "Queue an article with POST /api/v1/generate; the reference says how.".to_owned(),
    ];
    page(
        &api.public_url,
        StatusCode::OK,
        "Content Generation Service",
        &lines,
        &[
            Link { path: "/docs".to_owned(), text: "API reference" },
            Link { path: "/dashboard".to_owned(), text: "Dashboard" },
            Link { path: "/openapi.yaml".to_owned(), text: "The OpenAPI document" },
            Link { path: "/openapi-3.1.json".to_owned(), text: "The same as OpenAPI 3.1" },
            Link { path: "/readyz".to_owned(), text: "Is it ready?" },
        ],
    )
}
