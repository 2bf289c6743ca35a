//! What a body says it is.

use super::super::fault::{Fault, fault};
use crate::message::{Operation, Request};

const REQUIRED: &[&str] = &["generate.media-type.required"];
const CHARSET: &[&str] = &["generate.media-type.charset"];

const JSON: &str = "application/json";
/// What the server refuses where it is at refusing media types.
const OTHER: &str = "text/plain";

pub(super) const FAULTS: &[Fault] = &[
    fault("input.any-media-type", "The media type is not looked at.", REQUIRED)
        .request(|request, _| take_for(request, JSON, |_| true)),
    fault("input.media-type-prefix", "Whatever begins with application/json is accepted.", REQUIRED)
        .request(|request, _| take_for(request, JSON, |media_type| media_type.starts_with(JSON))),
    fault("input.no-media-type", "A body without a media type is taken for JSON.", REQUIRED)
        .request(|request, _| take_for(request, JSON, str::is_empty)),
    fault("input.charset-refused", "A charset parameter is refused.", CHARSET)
        .request(|request, _| take_for(request, OTHER, |media_type| media_type.contains(';'))),
    fault("input.media-type-with-case", "The media type is compared with regard to case.", CHARSET)
        .request(|request, _| take_for(request, OTHER, |media_type| !media_type.starts_with(JSON))),
];

/// Declares a body of `POST /generate` as another type where the one that it was sent with is concerned.
fn take_for(request: &mut Request, media_type: &str, is_concerned: impl FnOnce(&str) -> bool) {
    if request.is(Operation::Generate) && is_concerned(request.header("content-type").unwrap_or_default()) {
        request.set("content-type", media_type);
    }
}
