//! Entity tags and `If-None-Match` (RFC 9110 sections 8.8.3 and 13.1.2).

use std::fmt::Write as _;

use http::HeaderMap;
use http::header::IF_NONE_MATCH;
use sha2::{Digest as _, Sha256};

/// A strong entity tag, quotes included, of exactly these bytes.
pub(super) fn entity_tag(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let mut tag = String::with_capacity(34);
    tag.push('"');
    for byte in &digest[..16] {
        write!(tag, "{byte:02x}").expect("writing to a string never fails");
    }
    tag.push('"');
    tag
}

/// Whether `If-None-Match` is `*` or lists this tag, compared weakly, so that the caller has the current representation.
pub(super) fn matches_if_none_match(headers: &HeaderMap, tag: &str) -> bool {
    let mut lines = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    lines.any(|line| line.trim() == "*" || tags(line).any(|listed| listed == tag))
}

/// The opaque tags of a list, quotes included, without their `W/`. A comma may stand inside the quotes.
fn tags(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let begin = rest.find('"')?;
        let length = rest[begin + 1..].find('"')? + 2;
        let tag = &rest[begin..begin + length];
        rest = &rest[begin + length..];
        Some(tag)
    })
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn matches(line: &str) -> bool {
        let headers = HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::from_str(line).unwrap())]);
        matches_if_none_match(&headers, "\"a,b\"")
    }

    #[test]
    fn tags_are_compared_weakly_and_in_lists() {
        for line in ["*", " * ", "\"a,b\"", "W/\"a,b\"", "\"x\", W/\"a,b\"", "\"x\",\"a,b\",\"y\""] {
            assert!(matches(line), "{line}");
        }
        for line in ["", "a,b", "\"a\"", "\"A,B\"", "\"x\", \"y\"", "\"a,b"] {
            assert!(!matches(line), "{line}");
        }
        assert!(!matches_if_none_match(&HeaderMap::new(), "\"a\""));
    }
}
