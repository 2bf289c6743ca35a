//! How the `Authorization` header is read.

use super::super::fault::{Fault, fault};
use crate::message::Request;

pub(super) const FAULTS: &[Fault] = &[
    fault("auth.scheme-with-case", "Only `Bearer` in this spelling is understood.", &["auth.scheme.case-insensitive"])
        .request(|request, _| {
            let scheme = parts(request).0;
            if scheme.eq_ignore_ascii_case("bearer") && scheme != "Bearer" {
                request.remove("authorization");
            }
        }),
    fault("auth.any-scheme", "The name of the scheme is not looked at.", &["auth.scheme.others"]).request(
        |request, _| {
            if let (scheme, Some(key)) = parts(request)
                && !scheme.eq_ignore_ascii_case("bearer")
            {
                *request = request.clone().with_key(key);
            }
        },
    ),
    fault("auth.key-alone", "The key is accepted without any scheme.", &["auth.scheme.others"]).request(
        |request, _| {
            if let (key, None) = parts(request)
                && !key.is_empty()
                && !key.eq_ignore_ascii_case("bearer")
            {
                *request = request.clone().with_key(key);
            }
        },
    ),
    fault(
        "auth.first-header-wins",
        "Of two Authorization headers the first is taken.",
        &["auth.header.doubled-or-empty"],
    )
    .request(|request, _| {
        if let Some(first) = request.headers.get("authorization").cloned() {
            request.headers.insert("authorization", first);
        }
    }),
    fault(
        "auth.empty-is-missing",
        "`Bearer` without a key counts as no credentials.",
        &["auth.header.doubled-or-empty"],
    )
    .request(|request, _| {
        if let (scheme, None | Some("")) = parts(request)
            && scheme.eq_ignore_ascii_case("bearer")
        {
            request.remove("authorization");
        }
    }),
];

/// The scheme of the header, and what follows it.
fn parts(request: &Request) -> (&str, Option<&str>) {
    let header = request.header("authorization").unwrap_or_default();
    header.split_once(' ').map_or((header, None), |(scheme, rest)| (scheme, Some(rest.trim())))
}
