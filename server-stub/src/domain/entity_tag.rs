//! Entity tags, and the check whether a request lists one (RFC 9110 sections 8.8.3 and 13.1.2).

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// Returns a strong entity tag of these bytes, quotes included: the first half of their SHA-256.
pub fn entity_tag(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let mut tag = String::with_capacity(34);
    tag.push('"');
    for byte in &digest[..16] {
        write!(tag, "{byte:02x}").expect("writing to a string never fails");
    }
    tag.push('"');
    tag
}

/// Returns true if a value of `If-None-Match` is `*` or lists this tag. The comparison is weak.
pub fn is_listed(line: &str, tag: &str) -> bool {
    line.trim() == "*" || tags(line).any(|listed| listed == tag)
}

/// Returns the opaque tags of a list, with quotes and without `W/`. The quoted text may contain a comma.
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
    use super::*;

    #[test]
    fn tags_are_compared_weakly_and_in_lists() {
        for line in ["*", " * ", "\"a,b\"", "W/\"a,b\"", "\"x\", W/\"a,b\"", "\"x\",\"a,b\",\"y\""] {
            assert!(is_listed(line, "\"a,b\""), "{line}");
        }
        for line in ["", "a,b", "\"a\"", "\"A,B\"", "\"x\", \"y\"", "\"a,b"] {
            assert!(!is_listed(line, "\"a,b\""), "{line}");
        }
    }
}
