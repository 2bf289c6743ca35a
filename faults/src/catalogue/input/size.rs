//! Faults in the limit on the size of a body.

use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::order::{LIMIT, is_refused};
use crate::message::{Operation, Request};

/// Fields of a generation request (`openapi.yaml`, `GenerateRequest`).
const MEMBERS: [&str; 8] =
    ["topic", "website_id", "language", "keywords", "target_word_count", "auto_publish", "publish_at", "metadata"];
const MEBIBYTE: usize = 1024 * 1024;

pub(super) const FAULTS: &[Fault] = &[
    fault("input.no-size-limit", "The server accepts bodies up to 1 MiB.", &["generate.size.too-large"])
        .request(|request, _| shrink(request)),
    fault("input.size-off-by-one", "The server refuses a body of exactly 64 KiB.", &["generate.size.at-the-limit"])
        .request(|request, _| refuse_over(request, LIMIT - 1)),
    fault("input.size-decimal", "The server limits bodies to 64,000 bytes.", &["generate.size.at-the-limit"])
        .request(|request, _| refuse_over(request, 64_000)),
    fault("input.size-is-400", "A body that is too large gets 400.", &["generate.size.too-large"]).response(
        |response, request, _| {
            if is_refused(request, response, "payload_too_large") {
                response.status = 400;
                response.edit(|problem| problem["status"] = json!(400));
            }
        },
    ),
];

/// Pads the body with spaces beyond the server's own limit, so that the server refuses its size.
fn refuse_over(request: &mut Request, limit: usize) {
    if request.is(Operation::Generate) && (limit + 1..=LIMIT).contains(&request.body.len()) {
        let mut body = request.body.to_vec();
        body.resize(LIMIT + 1, b' ');
        request.body = body.into();
    }
}

/// Keeps only the names of unknown fields, because the server ignores their values.
fn shrink(request: &mut Request) {
    if !request.is(Operation::Generate) || !(LIMIT + 1..=MEBIBYTE).contains(&request.body.len()) {
        return;
    }
    match request.json() {
        Some(Value::Object(mut members)) => {
            for (name, value) in &mut members {
                if !MEMBERS.contains(&name.as_str()) {
                    *value = Value::Null;
                }
            }
            request.body = Value::Object(members).to_string().into();
        }
        // The server refuses any value that is not an object.
        _ => request.body = "[".into(),
    }
}
