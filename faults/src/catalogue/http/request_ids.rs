//! `X-Request-Id`.

use serde_json::json;

use super::super::fault::{Fault, fault};
use crate::message::Response;

pub(super) const FAULTS: &[Fault] = &[
    fault("http.no-request-id", "Responses have no X-Request-Id.", &["http.request-id.present"])
        .response(|response, _, _| response.remove("x-request-id")),
    fault("http.client-request-id", "The server copies the client's X-Request-Id.", &["http.request-id.own"]).response(
        |response, request, _| {
            if let Some(id) = request.header("x-request-id") {
                name(response, id);
            }
        },
    ),
    fault("http.same-request-id", "All responses have the same request id.", &["http.request-id.own"]).response(
        |response, _, memory| {
            if let Some(id) = response.header("x-request-id") {
                let first = memory.get_or_put("id", id);
                name(response, first.as_str().unwrap_or_default());
            }
        },
    ),
];

/// Replaces the request id, also in a problem.
fn name(response: &mut Response, id: &str) {
    response.set("x-request-id", id);
    if response.code().is_some() {
        response.edit(|problem| problem["request_id"] = json!(id));
    }
}
