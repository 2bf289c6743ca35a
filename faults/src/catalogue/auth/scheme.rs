//! Faults in reading the `Authorization` header.

use super::super::fault::{Fault, fault};
use crate::message::Request;

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "auth.scheme-with-case",
        "The server accepts the scheme only when written `Bearer`.",
        &["auth.scheme.case-insensitive"],
    )
    .request(|request, _| {
        let scheme = parts(request).0;
        if scheme.eq_ignore_ascii_case("bearer") && scheme != "Bearer" {
            request.remove("authorization");
        }
    }),
    fault("auth.any-scheme", "The server ignores the name of the scheme.", &["auth.scheme.others"]).request(
        |request, _| {
            if let (scheme, Some(key)) = parts(request)
                && !scheme.eq_ignore_ascii_case("bearer")
            {
                *request = request.clone().with_key(key);
            }
        },
    ),
    fault("auth.key-alone", "The server accepts the key without a scheme.", &["auth.scheme.others"]).request(
        |request, _| {
            if let (key, None) = parts(request)
                && !key.is_empty()
                && !key.eq_ignore_ascii_case("bearer")
            {
                *request = request.clone().with_key(key);
            }
        },
    ),
];

/// Splits the header into its scheme and the rest.
fn parts(request: &Request) -> (&str, Option<&str>) {
    let header = request.header("authorization").unwrap_or_default();
    header.split_once(' ').map_or((header, None), |(scheme, rest)| (scheme, Some(rest.trim())))
}
