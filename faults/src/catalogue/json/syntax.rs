//! What is taken for JSON and is none, by its signs and its names.

use serde::de::IgnoredAny;
use serde_json::Value;

use super::super::fault::{Fault, fault};
use super::pieces::{has_twins, mend, pieces};
use crate::message::{Operation, Request, Response};

const MALFORMED: &[&str] = &["generate.json.malformed"];

pub(super) const FAULTS: &[Fault] = &[
    fault("json.escaped-twin", "Names are compared before their escapes are resolved.", MALFORMED).request(
        |request, _| {
            let is_hidden = |text: &str| has_twins(text, resolved) && !has_twins(text, ToOwned::to_owned);
            if is_hidden(&String::from_utf8_lossy(&request.body)) {
                keep_last(request);
            }
        },
    ),
    fault("json.last-member-wins", "Of two members with the same name the last wins.", MALFORMED).request(
        |request, _| {
            if has_twins(&String::from_utf8_lossy(&request.body), resolved) {
                keep_last(request);
            }
        },
    ),
    fault("json.trailing-text", "What follows the JSON value is ignored.", MALFORMED).request(|request, _| {
        if request.is(Operation::Generate) {
            let mut values = serde_json::Deserializer::from_slice(&request.body).into_iter::<IgnoredAny>();
            let end = values.next().and_then(Result::ok).map(|_| values.byte_offset());
            request.body.truncate(end.unwrap_or(request.body.len()));
        }
    }),
    fault("json.trailing-comma", "A comma before a closing brace is accepted.", MALFORMED)
        .request(|request, _| mend(request, without_trailing_commas)),
    fault("json.not-an-object", "A body that is no object is treated like an empty one.", MALFORMED).request(
        |request, _| {
            if request.is(Operation::Generate) && request.json().is_some_and(|body| !body.is_object()) {
                request.body = "{}".into();
            }
        },
    ),
    fault("json.empty-body", "An empty body is treated like an empty object.", MALFORMED).request(|request, _| {
        if request.is(Operation::Generate) && request.body.is_empty() {
            request.body = "{}".into();
        }
    }),
    fault("json.is-422", "A body that is no JSON is answered 422.", MALFORMED).response(|response, request, _| {
        if request.is(Operation::Generate) && response.code().as_deref() == Some("invalid_json") {
            *response = Response::problem(response, 422, "validation_failed", "Validation failed");
        }
    }),
];

/// Writes the body as a parser sees it that lets later members replace earlier ones.
fn keep_last(request: &mut Request) {
    if let Some(body) = request.json().filter(|_| request.is(Operation::Generate)) {
        request.body = body.to_string().into();
    }
}

/// A name with its escapes resolved.
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
