//! Reads and writes the header in the document's form.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::message::{Operation, Request, Response};

/// Name of the header.
pub(in super::super) const HEADER: &str = "idempotency-key";
/// Maximum length of a key, without quotes.
const LONGEST: usize = 255;

/// Returns the header of a generation request if it is a single line of text.
pub(in super::super) fn line(request: &Request) -> Option<&str> {
    let mut lines = request.headers.get_all(HEADER).iter();
    let line = lines.next().filter(|_| request.is(Operation::Generate))?;
    if lines.next().is_some() { None } else { line.to_str().ok() }
}

/// Returns the key of a generation request, if it is well-formed.
pub(in super::super) fn key(request: &Request) -> Option<String> {
    read(line(request)?)
}

/// Returns the slot in which a fault stores state about a request's key.
pub(in super::super) fn slot(request: &Request) -> Option<String> {
    Some(json!([request.key(), key(request)?]).to_string())
}

/// Parses the key in a line, bare or as a quoted string.
pub(in super::super) fn read(line: &str) -> Option<String> {
    read_any_length(line).filter(|key| key.len() <= LONGEST)
}

/// Parses the key without a limit on its length.
pub(super) fn read_any_length(line: &str) -> Option<String> {
    let key = match line.strip_prefix('"') {
        Some(rest) => unquote(rest)?,
        None if line.contains(['"', ',', ';', '\\']) => return None,
        None => line.to_owned(),
    };
    (!key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic())).then_some(key)
}

/// Returns the inside of a quoted string whose opening quote was removed.
fn unquote(rest: &str) -> Option<String> {
    let mut key = String::new();
    let mut letters = rest.chars();
    loop {
        match letters.next()? {
            '"' => return letters.next().is_none().then_some(key),
            '\\' => key.push(letters.next().filter(|escaped| matches!(escaped, '"' | '\\'))?),
            letter => key.push(letter),
        }
    }
}

/// Sets another key, bare if possible.
pub(in super::super) fn set(request: &mut Request, key: &str) {
    if key.contains(['"', ',', ';', '\\']) {
        let escaped = key.replace('\\', "\\\\").replace('"', "\\\"");
        request.set(HEADER, &format!("\"{escaped}\""));
    } else {
        request.set(HEADER, key);
    }
}

/// Returns a well-formed key for any text. Different texts have different keys.
pub(in super::super) fn stand_in(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(text))
}

/// Returns true if a response to a generation request is a replay.
pub(in super::super) fn is_replay(request: &Request, response: &Response) -> bool {
    request.is(Operation::Generate) && response.header("idempotency-replayed") == Some("true")
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn keys_are_read_bare_and_quoted() {
        assert_eq!(read("k-1").as_deref(), Some("k-1"));
        assert_eq!(read("\"k-1\"").as_deref(), Some("k-1"));
        assert_eq!(read("\"a\\\"b,\\\\\"").as_deref(), Some("a\"b,\\"));
        for line in ["", "\"\"", "a b", "\"a b\"", "a,b", "a;b", "\"a", "\"a\";b=1", "\"a\\n\""] {
            assert_eq!(read(line), None, "{line}");
        }
        assert_eq!(read(&"k".repeat(256)), None);
    }
}
