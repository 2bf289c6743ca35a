//! Pages about the server: health, readiness, problem codes and a home page.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use http::header::RETRY_AFTER;

use super::message_page::{Link, page};
use super::problem::{Code, Problem};
use super::route::Api;
use crate::app::Readiness;

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
    page(&api, StatusCode::OK, title, &lines, &links)
}

/// Shows the home page.
pub(super) async fn home(State(api): State<Arc<Api>>) -> Response {
    let lines = [
        "This server keeps the Content Generation Service API.".to_owned(),
        "Queue an article with POST /api/v1/generate; the reference says how.".to_owned(),
    ];
    page(
        &api,
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
