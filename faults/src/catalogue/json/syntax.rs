//! Invalid JSON that the server accepts because of its syntax or its names.

use serde::de::IgnoredAny;
use serde_json::Value;

use super::super::fault::{Fault, fault};
use super::pieces::{has_twins, mend, pieces};
use crate::message::{Operation, Request, Response};

const MALFORMED: &[&str] = &["generate.json.malformed"];

pub(super) const FAULTS: &[Fault] = &[
    fault("json.escaped-twin", "The server compares names before it resolves their escapes.", MALFORMED).request(
        |request, _| {
            let is_hidden = |text: &str| has_twins(text, resolved) && !has_twins(text, ToOwned::to_owned);
            if is_hidden(&String::from_utf8_lossy(&request.body)) {
                keep_last(request);
            }
        },
    ),
    fault("json.last-member-wins", "The last of two fields with the same name wins.", MALFORMED).request(
        |request, _| {
            if has_twins(&String::from_utf8_lossy(&request.body), resolved) {
                keep_last(request);
            }
        },
    ),
    fault("json.trailing-text", "The server ignores text after the JSON value.", MALFORMED).request(|request, _| {
        if request.is(Operation::Generate) {
            let mut values = serde_json::Deserializer::from_slice(&request.body).into_iter::<IgnoredAny>();
            let end = values.next().and_then(Result::ok).map(|_| values.byte_offset());
            request.body.truncate(end.unwrap_or(request.body.len()));
        }
    }),
    fault("json.trailing-comma", "The server accepts a comma before a closing brace.", MALFORMED)
        .request(|request, _| mend(request, without_trailing_commas)),
    fault("json.not-an-object", "The server treats a body that is not an object as an empty object.", MALFORMED)
        .request(|request, _| {
            if request.is(Operation::Generate) && request.json().is_some_and(|body| !body.is_object()) {
                request.body = "{}".into();
            }
        }),
    fault("json.empty-body", "The server treats an empty body as an empty object.", MALFORMED).request(|request, _| {
        if request.is(Operation::Generate) && request.body.is_empty() {
            request.body = "{}".into();
        }
    }),
    fault("json.is-422", "A body that is not JSON gets 422.", MALFORMED).response(|response, request, _| {
        if request.is(Operation::Generate) && response.code().as_deref() == Some("invalid_json") {
            *response = Response::problem(response, 422, "validation_failed", "Validation failed");
        }
    }),
];

/// Rewrites the body like a parser in which later fields replace earlier ones.
fn keep_last(request: &mut Request) {
    if let Some(body) = request.json().filter(|_| request.is(Operation::Generate)) {
        request.body = body.to_string().into();
    }
}

/// Resolves the escapes of a name.
fn resolved(name: &str) -> String {
    match serde_json::from_str(name) {
        Ok(Value::String(resolved)) => resolved,
        _ => name.to_owned(),
    }
}

fn without_trailing_commas(text: &str) -> String {
    let pieces = pieces(text);
    let next = |at: usize| pieces[at + 1..].iter().find(|piece| !piece.trim().is_empty());
    let is_needless = |at: usize| pieces[at] == "," && next(at) == Some(&"}");
    (0..pieces.len()).filter(|at| !is_needless(*at)).map(|at| pieces[at]).collect()
}
