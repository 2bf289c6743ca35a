//! `Last-Modified` of an answer.

use crate::check::Requirement;
use crate::steps::header_forms::{http_date, keeps_form};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![keeps_form(
        "headers.last-modified.date",
        "last-modified",
        http_date,
        "Last-Modified is an HTTP date in GMT.",
        "RFC 9110, sections 5.6.7 and 8.8.2",
    )]
}
