//! `Retry-After` of an answer.

use crate::check::Requirement;
use crate::steps::header_forms::{keeps_form, seconds};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![keeps_form(
        "headers.retry-after.seconds",
        "retry-after",
        seconds,
        "Retry-After is a whole number of seconds, at least 1.",
        "RFC 9110, section 10.2.3; openapi.yaml, Retry-After",
    )]
}
