//! `Allow` of an answer 405.

use crate::check::Requirement;
use crate::steps::header_forms::{keeps_form, methods};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![keeps_form(
        "headers.allow.methods",
        "allow",
        methods,
        "Allow is a list of methods.",
        "RFC 9110, section 10.2.1; openapi.yaml, Allow",
    )]
}
