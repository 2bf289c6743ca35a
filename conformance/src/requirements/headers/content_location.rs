//! `Content-Location` of an answer.

use crate::check::Requirement;
use crate::steps::header_forms::{keeps_form, reference};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![keeps_form(
        "headers.content-location.reference",
        "content-location",
        reference,
        "Content-Location is a URI reference.",
        "RFC 9110, section 8.7; openapi.yaml, Content-Location",
    )]
}
