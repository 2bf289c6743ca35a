//! Faults in the order of checks on a body.

use super::super::fault::{Fault, fault};
use futures::future::FutureExt;

use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

/// Maximum size of a body, in bytes (`openapi.yaml`, `x-limits`).
pub(super) const LIMIT: usize = 65_536;

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "input.size-before-media-type",
        "The server checks the size before the media type.",
        &["generate.order.media-type-before-size"],
    )
    .response(|response, request, _| {
        if is_refused(request, response, "unsupported_media_type") && request.body.len() > LIMIT {
            *response = Response::problem(response, 413, "payload_too_large", "Payload too large");
        }
    }),
    fault(
        "input.parsed-as-it-comes",
        "The server parses JSON while reading it, before it knows the size.",
        &["generate.order.size-before-json"],
    )
    .response(|response, request, _| {
        if is_refused(request, response, "payload_too_large") && is_no_object(request) {
            *response = Response::problem(response, 400, "invalid_json", "Invalid JSON");
        }
    }),
    fault(
        "input.json-before-media-type",
        "The server checks the JSON before the media type.",
        &["generate.order.media-type-before-json"],
    )
    .response(|response, request, _| {
        if is_refused(request, response, "unsupported_media_type") && is_no_object(request) {
            *response = Response::problem(response, 400, "invalid_json", "Invalid JSON");
        }
    }),
    fault("input.length-required", "The server refuses a body without Content-Length.", &["http.raw.chunked"])
        .exchange(|exchange| length_required(exchange).boxed()),
];

/// Returns true if a body of `POST /generate` was refused with this code.
pub(super) fn is_refused(request: &Request, response: &Response, code: &str) -> bool {
    request.is(Operation::Generate) && response.code().as_deref() == Some(code)
}

fn is_no_object(request: &Request) -> bool {
    !request.json().is_some_and(|body| body.is_object())
}

/// Lets the server make its earlier checks by sending a body that it refuses in a later one.
async fn length_required(exchange: Exchange) -> Response {
    let request = &exchange.request;
    let is_sized = request.body.is_empty() || request.header("content-length").is_some();
    let media_type = request.header("content-type").unwrap_or_default().to_ascii_lowercase();
    if is_sized || !request.is(Operation::Generate) || !media_type.starts_with("application/json") {
        return exchange.forward().await;
    }
    let mut typeless = request.clone();
    typeless.remove("content-type");
    let response = exchange.send(typeless).await;
    if is_refused(request, &response, "unsupported_media_type") {
        return Response::problem(&response, 400, "invalid_header", "Invalid header");
    }
    response
}
