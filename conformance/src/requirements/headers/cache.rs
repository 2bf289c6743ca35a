//! `Cache-Control` of every answer.

use crate::check::Requirement;
use crate::steps::header_forms::{cache, keeps_form};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![keeps_form(
        "headers.cache.private",
        "cache-control",
        cache,
        "Cache-Control keeps answers out of shared caches: no-store, or private with no-cache.",
        "RFC 9111, section 5.2.2; openapi.yaml, Cache-Control",
    )]
}
