//! `Location` of an answer.

use crate::check::Requirement;
use crate::steps::header_forms::{keeps_form, reference};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![keeps_form(
        "headers.location.reference",
        "location",
        reference,
        "Location is a URI reference.",
        "RFC 9110, section 10.2.2; openapi.yaml, Location",
    )]
}
