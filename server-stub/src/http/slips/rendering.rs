//! How the JSON of an answer is written, and in which pieces it is sent.

use std::convert::Infallible;
use std::fmt::Write as _;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures::stream;
use serde_json::Value;

use super::answer::{Answer, Asked};
use crate::domain::fault::table::benign;

/// Bytes of a small chunk.
const CHUNK: usize = 37;

pub(super) fn render(asked: &Asked, answer: Answer) -> Response {
    let is_rewritten = benign::PRETTY.is_on() || benign::REVERSED.is_on() || benign::ASCII.is_on();
    let body = answer.body(write, is_rewritten && asked.method != http::Method::HEAD);
    if benign::CHUNKED.is_on() && !body.is_empty() {
        let pieces: Vec<Bytes> = body.chunks(CHUNK).map(Bytes::copy_from_slice).collect();
        let chunks = stream::iter(pieces.into_iter().map(Ok::<_, Infallible>));
        return answer.finish(Body::from_stream(chunks), None);
    }
    let length = body.len();
    answer.finish(Body::from(body), Some(length))
}

fn write(value: &Value) -> Vec<u8> {
    let text = match () {
        () if benign::PRETTY.is_on() => serde_json::to_string_pretty(value).unwrap_or_default(),
        () if benign::REVERSED.is_on() => reversed(value),
        () if benign::ASCII.is_on() => escaped(&value.to_string()),
        () => value.to_string(),
    };
    text.into_bytes()
}

/// Members from the last to the first.
fn reversed(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .rev()
                .map(|(name, member)| format!("{}:{}", Value::from(name.as_str()), reversed(member)))
                .collect();
            format!("{{{}}}", members.join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(reversed).collect::<Vec<_>>().join(",")),
        plain => plain.to_string(),
    }
}

/// Everything outside of ASCII as escapes of UTF-16 units, and slashes too.
fn escaped(json: &str) -> String {
    let mut ascii = String::with_capacity(json.len());
    for letter in json.chars() {
        if letter == '/' {
            ascii.push_str("\\/");
        } else if letter.is_ascii() {
            ascii.push(letter);
        } else {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                write!(ascii, "\\u{unit:04x}").expect("writing to a String does not fail");
            }
        }
    }
    ascii
}
