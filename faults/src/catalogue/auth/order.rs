//! Checks made before the check of key and scope, instead of after it.

use super::super::fault::{Fault, fault};
use super::super::refusals;
use crate::message::{Operation, Request, Response};

/// Maximum size of a body in the document, in bytes.
const LONGEST_BODY: usize = 64 * 1024;

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "auth.size-first",
        "The server checks Content-Length before the key.",
        &["generate.order.credentials-before-size"],
    )
    .response(|response, request, _| {
        if request.is(Operation::Generate) && response.status == 401 && request.body.len() > LONGEST_BODY {
            *response = refusals::in_place_of(response, 413, "payload_too_large", "Payload too large");
        }
    }),
    fault(
        "auth.scope-last",
        "The server reads the body before it checks the scope.",
        &["generate.order.scope-before-json"],
    )
    .response(|response, request, _| {
        let is_refused = response.code().is_some_and(|code| code == "insufficient_scope");
        if request.is(Operation::Generate) && is_refused {
            refuse_body(response, request);
        }
    }),
    fault("auth.body-first", "The server parses the body before it checks the key.", &["auth.order.first"]).response(
        |response, request, _| {
            if request.is(Operation::Generate) && response.status == 401 {
                refuse_body(response, request);
            }
        },
    ),
];

/// Refuses an unreadable body instead of the key.
fn refuse_body(response: &mut Response, request: &Request) {
    let media_type = request.header("content-type").and_then(|value| value.split(';').next()).unwrap_or_default();
    let (status, code, title) = if !media_type.trim().eq_ignore_ascii_case("application/json") {
        (415, "unsupported_media_type", "Unsupported media type")
    } else if request.body.len() > LONGEST_BODY {
        (413, "payload_too_large", "Payload too large")
    } else if request.json().is_none() {
        (400, "invalid_json", "Invalid JSON")
    } else {
        return;
    };
    *response = refusals::in_place_of(response, status, code, title);
}
