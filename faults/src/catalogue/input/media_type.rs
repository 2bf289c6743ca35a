//! Faults in checking the media type of a body.

use super::super::fault::{Fault, fault};
use crate::message::{Operation, Request};

const REQUIRED: &[&str] = &["generate.media-type.required"];
const CHARSET: &[&str] = &["generate.media-type.charset"];

const JSON: &str = "application/json";
/// Media type that the server refuses.
const OTHER: &str = "text/plain";

pub(super) const FAULTS: &[Fault] = &[
    fault("input.any-media-type", "The server ignores the media type.", REQUIRED)
        .request(|request, _| take_for(request, JSON, |_| true)),
    fault(
        "input.media-type-prefix",
        "The server accepts every media type that begins with application/json.",
        REQUIRED,
    )
    .request(|request, _| take_for(request, JSON, |media_type| media_type.starts_with(JSON))),
    fault("input.no-media-type", "The server treats a body without a media type as JSON.", REQUIRED)
        .request(|request, _| take_for(request, JSON, str::is_empty)),
    fault("input.charset-refused", "The server refuses a charset parameter.", CHARSET)
        .request(|request, _| take_for(request, OTHER, |media_type| media_type.contains(';'))),
    fault("input.media-type-with-case", "The server compares the media type with regard to case.", CHARSET)
        .request(|request, _| take_for(request, OTHER, |media_type| !media_type.starts_with(JSON))),
];

/// Declares a body of `POST /generate` as another type if its type matches.
fn take_for(request: &mut Request, media_type: &str, is_concerned: impl FnOnce(&str) -> bool) {
    if request.is(Operation::Generate) && is_concerned(request.header("content-type").unwrap_or_default()) {
        request.set("content-type", media_type);
    }
}
