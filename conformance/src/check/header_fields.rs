//! Parses headers: lists, directives, media types, challenges, quotas. `link` parses links.

use http::HeaderMap;
use http_auth::ChallengeRef;
use sfv::{Item, List, ListEntry, Parser};

/// Returns the value of a list header, joined from all its lines (RFC 9110, section 5.3).
pub(crate) fn joined(headers: &HeaderMap, name: &str) -> String {
    let lines = headers.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    lines.collect::<Vec<_>>().join(", ")
}

/// Returns the elements of a list. Ignores commas in quoted strings and skips empty elements (RFC 9110, section 5.6.1).
pub(crate) fn elements(value: &str) -> Vec<&str> {
    split(value, b',').into_iter().filter(|element| !element.is_empty()).collect()
}

/// Splits at a separator outside of quoted strings, and trims the parts.
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

/// Returns true if the text is a token (RFC 9110, section 5.6.2).
pub(crate) fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// Returns true if a value names this media type, with any parameters.
pub(crate) fn is_media_type(value: &str, name: &str) -> bool {
    split(value, b';').first().is_some_and(|essence| essence.eq_ignore_ascii_case(name))
}

/// Returns true if `Cache-Control` has this directive without an argument.
pub(crate) fn has_directive(value: &str, name: &str) -> bool {
    elements(value).iter().any(|directive| directive.eq_ignore_ascii_case(name))
}

/// Returns true if each element is a preference: `name` or `name=value`, with parameters (RFC 7240, section 2).
pub(crate) fn are_preferences(value: &str) -> bool {
    let all = elements(value);
    let is_preference = |element: &&str| {
        let name = split(element, b';').first().copied().unwrap_or_default();
        is_token(name.split_once('=').map_or(name, |(name, _)| name).trim())
    };
    !all.is_empty() && all.iter().all(is_preference)
}

/// Returns true if these are challenges and one of them has this scheme (RFC 9110, section 11.6.1).
pub(crate) fn challenges_with(value: &str, scheme: &str) -> bool {
    let has_scheme = |all: &Vec<ChallengeRef<'_>>| all.iter().any(|one| one.scheme.eq_ignore_ascii_case(scheme));
    http_auth::parse_challenges(value).as_ref().is_ok_and(has_scheme)
}

/// Returns the items of `RateLimit-Policy` or `RateLimit`: names in quotes with parameters (RFC 9651). Returns nothing for another value.
pub(crate) fn quotas(value: &str) -> Option<Vec<Item>> {
    let entries = Parser::new(value).parse::<List>().ok()?;
    let named = entries.into_iter().map(|entry| match entry {
        ListEntry::Item(item) if !quota_name(&item).is_empty() => Some(item),
        _ => None,
    });
    named.collect()
}

/// Returns the name of a quota, or an empty text if the item is not a string.
pub(crate) fn quota_name(quota: &Item) -> &str {
    quota.bare_item.as_string().map_or("", |name| name.as_str())
}

/// Returns a parameter of a quota if it is a whole number of at least 0.
pub(crate) fn quota_number(quota: &Item, parameter: &str) -> Option<u64> {
    u64::try_from(quota.params.get(parameter)?.as_integer()?).ok()
}

#[cfg(test)]
mod tests {
    use super::{
        are_preferences, challenges_with, elements, has_directive, is_media_type, quota_name, quota_number, quotas,
    };

    #[test]
    fn commas_and_semicolons_in_quotes_separate_nothing() {
        assert_eq!(elements(r#"a, "b, \" c" ,, d"#), ["a", r#""b, \" c""#, "d"]);
        assert!(has_directive(r#"private="set-cookie, x", NO-STORE"#, "no-store"));
        assert!(!has_directive(r#"ext="no-store, a""#, "no-store") && !has_directive("no-storex", "no-store"));
        assert!(are_preferences(r#"respond-async, note="a, b;c"; x=1"#) && !are_preferences("wait=5, ="));
    }

    #[test]
    fn quotas_are_names_in_quotes_with_numbers() {
        let read = quotas(r#""a;b, c";q=1;w=2, "d"; q=3;w=-4;note="x;y, z""#).unwrap();
        assert_eq!(read.iter().map(quota_name).collect::<Vec<_>>(), ["a;b, c", "d"]);
        assert_eq!(read.iter().map(|quota| quota_number(quota, "q")).collect::<Vec<_>>(), [Some(1), Some(3)]);
        assert_eq!(read.iter().map(|quota| quota_number(quota, "w")).collect::<Vec<_>>(), [Some(2), None]);
        assert!(quotas("a;q=1;w=2").is_none() && quotas(r#""";q=1"#).is_none() && quotas("\"a\";q=").is_none());
        assert_eq!(quotas("").map(|read| read.len()), Some(0));
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
