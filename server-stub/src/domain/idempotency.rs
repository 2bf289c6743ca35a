//! The `Idempotency-Key` header, and the decision whether a request repeats the first one with its key.

use bytes::Bytes;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::clock::Timestamp;

/// Maximum length of a key, without quotes.
pub const MAX_KEY_LENGTH: usize = 255;

/// A stored response that is replayed for the same idempotency key. A setting limits for how long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyRecord {
    /// The owner.
    pub account_id: String,
    /// The website of the body. A key is used up for one website only, so that no platform key learns of requests for a website that
    /// it may not use.
    pub website_id: String,
    /// The `operationId`.
    pub operation: &'static str,
    /// The key, unquoted.
    pub key: String,
    /// SHA-256 of the parsed body.
    pub fingerprint: [u8; 32],
    /// The job that the first request queued; `Location` and body follow from it.
    pub job_id: String,
    /// The body of the response.
    pub body: Bytes,
    /// Time of the first request.
    pub created_at: Timestamp,
}

impl IdempotencyRecord {
    /// Returns true if a body with this fingerprint repeats the first request. With the same key, another body is refused.
    pub fn is_repeated_by(&self, fingerprint: [u8; 32]) -> bool {
        self.fingerprint == fingerprint
    }
}

/// Reads the header's value: a bare token of visible ASCII, or a quoted string of RFC 8941 without parameters. `k` and `"k"` are
/// the same key. `None` if the value has another form, or not 1 to 255 characters.
pub fn parse_key(value: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(value).ok()?.trim_matches([' ', '\t']);
    let key = if let Some(rest) = text.strip_prefix('"') { unquote(rest)? } else { text.to_owned() };
    let is_visible = key.bytes().all(|byte| (0x21..=0x7E).contains(&byte));
    let bare_is_clean = text.starts_with('"') || !text.contains(['"', '\\', ';', ',']);
    (is_visible && bare_is_clean && (1..=MAX_KEY_LENGTH).contains(&key.len())).then_some(key)
}

/// Returns the content of a quoted string whose opening quote was removed. Only `\"` and `\\` are escapes (RFC 8941 3.3.3).
fn unquote(rest: &str) -> Option<String> {
    let mut key = String::with_capacity(rest.len());
    let mut characters = rest.chars();
    loop {
        match characters.next()? {
            '"' => return characters.next().is_none().then_some(key),
            '\\' => key.push(characters.next().filter(|escaped| matches!(escaped, '"' | '\\'))?),
            character => key.push(character),
        }
    }
}

/// Returns the SHA-256 of a parsed body. Field order and white space make no difference.
pub fn fingerprint(body: &Value) -> [u8; 32] {
    let mut hash = Sha256::new();
    feed(&mut hash, body);
    hash.finalize().into()
}

fn feed(hash: &mut Sha256, value: &Value) {
    match value {
        Value::Object(members) => {
            let mut names: Vec<_> = members.iter().collect();
            names.sort_unstable_by_key(|(name, _)| *name);
            hash.update(format!("{{{}:", names.len()));
            for (name, member) in names {
                hash.update(format!("{}:{name}", name.len()));
                feed(hash, member);
            }
        }
        Value::Array(items) => {
            hash.update(format!("[{}:", items.len()));
            for item in items {
                feed(hash, item);
            }
        }
        Value::String(text) => hash.update(format!("\"{}:{text}", text.len())),
        plain => hash.update(format!("={plain};")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn bare_and_quoted_forms_are_one_key() {
        assert_eq!(parse_key(b"k-1"), Some("k-1".to_owned()));
        assert_eq!(parse_key(b"\"k-1\""), Some("k-1".to_owned()));
        assert_eq!(parse_key(br#""a\"b\\c""#), Some(r#"a"b\c"#.to_owned()));
    }

    #[test]
    fn malformed_keys_are_refused() {
        for bad in
            ["", "\"\"", "\"a", "\"a\";p=1", "a b", "\"a b\"", "a\u{e9}", "\"a\\n\"", "a;p=1", "a, b", "a\"", "a\\b"]
        {
            assert_eq!(parse_key(bad.as_bytes()), None, "{bad:?}");
        }
        assert!(parse_key("x".repeat(255).as_bytes()).is_some());
        assert!(parse_key(format!("\"{}\"", "x".repeat(255)).as_bytes()).is_some());
        assert!(parse_key("x".repeat(256).as_bytes()).is_none());
    }

    #[test]
    fn a_fingerprint_ignores_member_order_and_nothing_else() {
        let one = fingerprint(&json!({"a": 1, "b": ["x", {"c": null, "d": 2}]}));
        assert_eq!(one, fingerprint(&json!({"b": ["x", {"d": 2, "c": null}], "a": 1})));
        for other in [
            json!({"a": 1}),
            json!({"a": "1", "b": ["x", {"c": null, "d": 2}]}),
            json!({"a": 1, "b": [{"c": null, "d": 2}, "x"]}),
        ] {
            assert_ne!(one, fingerprint(&other));
        }
    }
}
