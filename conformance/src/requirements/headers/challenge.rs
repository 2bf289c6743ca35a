//! `WWW-Authenticate` of an answer 401.

use crate::check::Requirement;
use crate::steps::header_forms::{challenge, keeps_form};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![keeps_form(
        "headers.challenge.bearer",
        "www-authenticate",
        challenge,
        "WWW-Authenticate of a 401 is a challenge of the scheme Bearer.",
        "RFC 6750, section 3; openapi.yaml, WWW-Authenticate",
    )]
}
