//! `RateLimit-Policy` of every answer.

use crate::check::Requirement;
use crate::steps::header_forms::{keeps_form, policies};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![keeps_form(
        "headers.quota-policy.form",
        "ratelimit-policy",
        policies,
        "RateLimit-Policy is a list of \"name\";q=quota;w=window.",
        "draft-ietf-httpapi-ratelimit-headers-11, section 3",
    )]
}
