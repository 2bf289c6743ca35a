//! Other valid forms of JSON and headers on the wire.

use std::fmt::Write as _;

use serde_json::Value;

use super::super::fault::{Fault, Profile, variant};
use crate::edge::ConnectionForm;
use crate::message::{BodyForm, Response};

/// Size of a small chunk, in bytes.
const CHUNK: usize = 37;

pub(super) const FAULTS: &[Fault] = &[
    variant("benign.pretty", "JSON spans many lines.", Profile::Full)
        .response(|response, _, _| write(response, |value| serde_json::to_string_pretty(value).unwrap_or_default())),
    variant("benign.reversed", "Objects have their fields in the opposite order.", Profile::Full)
        .response(|response, _, _| write(response, reversed)),
    variant("benign.ascii", "JSON is ASCII, with all other characters escaped.", Profile::Full)
        .response(|response, _, _| write(response, |value| escaped(&value.to_string()))),
    variant("benign.chunked", "Bodies are sent in many small chunks.", Profile::Full).response(|response, _, _| {
        if !response.body.is_empty() {
            response.form = BodyForm::Chunks(CHUNK);
        }
    }),
    variant("benign.title-case", "Header names are capitalised.", Profile::Full).connection(ConnectionForm {
        title_case: true,
        closes: false,
        rewrite: None,
    }),
    variant("benign.no-keep-alive", "Each connection is closed after one response, as announced.", Profile::Full)
        .connection(ConnectionForm { title_case: false, closes: true, rewrite: None }),
    variant("benign.charset", "Media types have a charset.", Profile::Full).response(|response, _, _| {
        if is_json(response) {
            response.change("content-type", |media_type| {
                let plain = media_type.split(';').next().unwrap_or_default();
                format!("{plain}; charset=utf-8")
            });
        }
    }),
];

fn is_json(response: &Response) -> bool {
    response.header("content-type").is_some_and(|media_type| media_type.contains("json"))
}

/// Rewrites JSON. Removes the length of a response to `HEAD`, because it would be wrong.
fn write(response: &mut Response, write: fn(&Value) -> String) {
    if is_json(response) {
        response.remove("content-length");
        if let Some(value) = response.json() {
            response.body = write(&value).into();
        }
    }
}

/// Reverses the fields of objects.
pub(super) fn reversed(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members = members.iter().rev();
            let members = members.map(|(name, member)| format!("{}:{}", Value::from(name.as_str()), reversed(member)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(reversed).collect::<Vec<_>>().join(",")),
        plain => plain.to_string(),
    }
}

/// Escapes everything outside ASCII as UTF-16 units, and slashes too.
pub(super) fn escaped(json: &str) -> String {
    let mut ascii = String::with_capacity(json.len());
    for letter in json.chars() {
        if letter == '/' {
            ascii.push_str("\\/");
        } else if letter.is_ascii() {
            ascii.push(letter);
        } else {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                // Writing to a text does not fail.
                let _ = write!(ascii, "\\u{unit:04x}");
            }
        }
    }
    ascii
}
