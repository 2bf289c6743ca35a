//! Headers read by their grammar: lists, directives, media types, challenges. Links are read in `link`.
//!
//! What a header must say is judged in `requirements::headers` and with the operations.

use http::HeaderMap;
use http_auth::ChallengeRef;
use sfv::{List, ListEntry, Parser};

/// The value of a header that is a list, however many lines it has: they are one list (RFC 9110, section 5.3).
pub(crate) fn joined(headers: &HeaderMap, name: &str) -> String {
    let lines = headers.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    lines.collect::<Vec<_>>().join(", ")
}

/// The elements of a list; commas in quoted strings are theirs, and empty ones are none (RFC 9110, section 5.6.1).
pub(crate) fn elements(value: &str) -> Vec<&str> {
    split(value, b',').into_iter().filter(|element| !element.is_empty()).collect()
}

/// Splits at a separator outside of quoted strings, and trims.
fn split(value: &str, separator: u8) -> Vec<&str> {
    let (mut parts, mut start, mut is_quoted, mut is_escaped) = (Vec::new(), 0, false, false);
    for (at, byte) in value.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_quoted => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            _ if byte == separator && !is_quoted => {
                parts.push(value[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(value[start..].trim());
    parts
}

/// A token (RFC 9110, section 5.6.2).
pub(crate) fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// Whether a value names this media type, whatever its parameters are.
pub(crate) fn is_media_type(value: &str, name: &str) -> bool {
    split(value, b';').first().is_some_and(|essence| essence.eq_ignore_ascii_case(name))
}

/// Whether `Cache-Control` has this directive without an argument.
pub(crate) fn has_directive(value: &str, name: &str) -> bool {
    elements(value).iter().any(|directive| directive.eq_ignore_ascii_case(name))
}

/// Whether each element is a preference: `name` or `name=value`, with parameters (RFC 7240, section 2).
pub(crate) fn are_preferences(value: &str) -> bool {
    let all = elements(value);
    let is_preference = |element: &&str| {
        let name = split(element, b';').first().copied().unwrap_or_default();
        is_token(name.split_once('=').map_or(name, |(name, _)| name).trim())
    };
    !all.is_empty() && all.iter().all(is_preference)
}

/// Whether these are challenges of which one has this scheme (RFC 9110, section 11.6.1).
pub(crate) fn challenges_with(value: &str, scheme: &str) -> bool {
    let has_scheme = |all: &Vec<ChallengeRef<'_>>| all.iter().any(|one| one.scheme.eq_ignore_ascii_case(scheme));
    http_auth::parse_challenges(value).as_ref().is_ok_and(has_scheme)
}

/// Whether this is a list of names, each with whole numbers under these parameters (RFC 9651).
pub(crate) fn are_quotas(value: &str, parameters: &[&str]) -> bool {
    let has_all = |entry: &ListEntry| {
        let ListEntry::Item(item) = entry else { return false };
        let number = |name: &&str| item.params.get(*name).and_then(sfv::BareItem::as_integer);
        let is_named = item.bare_item.as_string().is_some_and(|name| !name.as_str().is_empty());
        is_named && parameters.iter().all(|name| number(name).is_some_and(|number| u64::try_from(number).is_ok()))
    };
    Parser::new(value).parse::<List>().is_ok_and(|list| !list.is_empty() && list.iter().all(has_all))
}

#[cfg(test)]
mod tests {
    use super::{are_preferences, are_quotas, challenges_with, elements, has_directive, is_media_type};

    #[test]
    fn commas_and_semicolons_in_quotes_separate_nothing() {
        assert_eq!(elements(r#"a, "b, \" c" ,, d"#), ["a", r#""b, \" c""#, "d"]);
        assert!(has_directive(r#"private="set-cookie, x", NO-STORE"#, "no-store"));
        assert!(!has_directive(r#"ext="no-store, a""#, "no-store") && !has_directive("no-storex", "no-store"));
        assert!(are_quotas(r#""a;b, c";q=1;w=2, "d"; q=3;w=4;note="x;y, z""#, &["q", "w"]));
        assert!(!are_quotas("a;q=1;w=2", &["q"]) && !are_quotas(r#""a";q=x"#, &["q"]) && !are_quotas("", &["q"]));
        assert!(are_preferences(r#"respond-async, note="a, b;c"; x=1"#) && !are_preferences("wait=5, ="));
    }

    #[test]
    fn challenges_are_read_whole() {
        assert!(challenges_with(r#"Bearer realm="a, Basic b", error="x""#, "bearer"));
        assert!(challenges_with(r#"Basic realm="x", Bearer realm="y""#, "bearer"));
        assert!(challenges_with("Bearer", "bearer"));
        assert!(!challenges_with(r#"Basic realm="Bearer""#, "bearer") && !challenges_with("Bearer realm=\"", "bearer"));
    }

    #[test]
    fn parameters_of_a_media_type_do_not_matter() {
        assert!(is_media_type(r#"Application/JSON ; charset="utf-8;x""#, "application/json"));
        assert!(!is_media_type("application/jsonl", "application/json"));
    }
}
