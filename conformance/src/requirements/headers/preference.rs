//! `Preference-Applied` of an answer.

use crate::check::Requirement;
use crate::steps::header_forms::{keeps_form, preferences};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![keeps_form(
        "headers.preference.form",
        "preference-applied",
        preferences,
        "Preference-Applied is a list of preferences: name or name=value.",
        "RFC 7240, section 3; openapi.yaml, Preference-Applied",
    )]
}
