//! How large a body may be.

use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::order::{LIMIT, is_refused};
use crate::message::{Operation, Request};

/// The members that a body may have (`openapi.yaml`, `GenerateRequest`).
const MEMBERS: [&str; 8] =
    ["topic", "website_id", "language", "keywords", "target_word_count", "auto_publish", "publish_at", "metadata"];
const MEBIBYTE: usize = 1024 * 1024;

pub(super) const FAULTS: &[Fault] = &[
    fault("input.no-size-limit", "Bodies up to 1 MiB are read.", &["generate.size.too-large"])
        .request(|request, _| shrink(request)),
    fault("input.size-off-by-one", "A body of exactly 64 KiB is too large.", &["generate.size.at-the-limit"])
        .request(|request, _| refuse_over(request, LIMIT - 1)),
    fault("input.size-decimal", "The limit is 64,000 bytes.", &["generate.size.at-the-limit"])
        .request(|request, _| refuse_over(request, 64_000)),
    fault("input.size-is-400", "A body that is too large is answered 400.", &["generate.size.too-large"]).response(
        |response, request, _| {
            if is_refused(request, response, "payload_too_large") {
                response.status = 400;
                response.edit(|problem| problem["status"] = json!(400));
            }
        },
    ),
];

/// Blanks take the body over the server's own limit, so that it refuses it where it is at refusing sizes.
fn refuse_over(request: &mut Request, limit: usize) {
    if request.is(Operation::Generate) && (limit + 1..=LIMIT).contains(&request.body.len()) {
        let mut body = request.body.to_vec();
        body.resize(LIMIT + 1, b' ');
        request.body = body.into();
    }
}

/// Leaves of unknown members nothing but their names, which is all that the server looks at.
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
        // Whatever it is, it is refused for not being an object.
        _ => request.body = "[".into(),
    }
}
