//! Faults in reporting errors of a body.

use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::schema::edit_errors;
use crate::message::{Request, Response};

const ESCAPED: &[&str] = &["generate.pointer.escaped"];

pub(super) const FAULTS: &[Fault] = &[
    fault("validation.pointer-unescaped", "Pointers do not escape names.", ESCAPED).response(|response, request, _| {
        edit_pointers(response, request, |pointer| pointer.replace("~1", "/").replace("~0", "~"));
    }),
    fault("validation.pointer-plain-text", "Pointers are not percent-encoded.", ESCAPED)
        .response(|response, request, _| edit_pointers(response, request, decoded)),
    fault(
        "validation.pointer-plain",
        "Pointers lack the number sign of a URI fragment.",
        &["generate.invalid.required"],
    )
    .response(|response, request, _| {
        edit_pointers(response, request, |pointer| pointer.trim_start_matches('#').to_owned());
    }),
    fault(
        "validation.pointer-of-top",
        "The pointer names the top-level field instead of the nested one with the error.",
        &["generate.invalid.format"],
    )
    .response(|response, request, _| {
        edit_pointers(response, request, |pointer| pointer.split('/').take(2).collect::<Vec<_>>().join("/"));
    }),
    fault(
        "validation.first-only",
        "The server reports only the first error of a body.",
        &["generate.invalid.every-fault"],
    )
    .response(|response, request, _| edit_errors(response, request, |errors| errors.truncate(1))),
    fault(
        "validation.required-as-format",
        "A missing field has the code invalid_format.",
        &["generate.invalid.required"],
    )
    .response(|response, request, _| {
        edit_errors(response, request, |errors| {
            for error in errors.iter_mut().filter(|error| error["code"] == "required") {
                error["code"] = json!("invalid_format");
            }
        });
    }),
];

fn edit_pointers(response: &mut Response, request: &Request, edit: fn(&str) -> String) {
    edit_errors(response, request, |errors| {
        for pointer in errors.iter_mut().filter_map(|error| error.get_mut("pointer")) {
            if let Value::String(text) = pointer {
                *text = edit(text);
            }
        }
    });
}

fn decoded(pointer: &str) -> String {
    // In a fragment, `+` and `&` have no special meaning.
    let pair = format!("={}", pointer.replace('+', "%2B").replace('&', "%26"));
    url::form_urlencoded::parse(pair.as_bytes()).next().map(|(_, text)| text.into_owned()).unwrap_or_default()
}
