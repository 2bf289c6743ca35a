//! `Link` of a page.

use crate::check::Requirement;
use crate::steps::header_forms::{keeps_form, link};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![keeps_form(
        "headers.link.next",
        "link",
        link,
        "Link is a list of <reference>; rel=\"…\", and one of them is next.",
        "RFC 8288, section 3; openapi.yaml, Link",
    )]
}
