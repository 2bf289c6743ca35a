//! `ETag` of an answer.

use crate::check::Requirement;
use crate::steps::header_forms::{keeps_form, strong_tag};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![keeps_form(
        "headers.etag.strong",
        "etag",
        strong_tag,
        "ETag is one strong validator in double quotes.",
        "RFC 9110, section 8.8.3; openapi.yaml, ETag",
    )]
}
