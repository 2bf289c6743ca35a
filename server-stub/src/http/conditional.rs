//! `If-None-Match` of a request (RFC 9110 section 13.1.2).

use http::HeaderMap;
use http::header::IF_NONE_MATCH;

use crate::domain::entity_tag::is_listed;

/// Returns true if `If-None-Match` is `*` or lists this tag: the caller has the current representation.
pub(super) fn matches_if_none_match(headers: &HeaderMap, tag: &str) -> bool {
    let mut lines = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    lines.any(|line| is_listed(line, tag))
}
