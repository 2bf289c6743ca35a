//! Reading and writing the header as the document has it.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::message::{Operation, Request, Response};

/// The header.
pub(in super::super) const HEADER: &str = "idempotency-key";
/// Longest key, counted without quotes.
const LONGEST: usize = 255;

/// The only line of the header on a generation request, if it is text.
pub(in super::super) fn line(request: &Request) -> Option<&str> {
    let mut lines = request.headers.get_all(HEADER).iter();
    let line = lines.next().filter(|_| request.is(Operation::Generate))?;
    if lines.next().is_some() { None } else { line.to_str().ok() }
}

/// The key of a generation request, if it has a well-formed one.
pub(in super::super) fn key(request: &Request) -> Option<String> {
    read(line(request)?)
}

/// Under what a fault remembers something about the key of a generation request.
pub(in super::super) fn slot(request: &Request) -> Option<String> {
    Some(json!([request.key(), key(request)?]).to_string())
}

/// The key that a line stands for, bare or as a quoted string.
pub(in super::super) fn read(line: &str) -> Option<String> {
    read_any_length(line).filter(|key| key.len() <= LONGEST)
}

/// The same without a limit.
pub(super) fn read_any_length(line: &str) -> Option<String> {
    let key = match line.strip_prefix('"') {
        Some(rest) => unquote(rest)?,
        None if line.contains(['"', ',', ';', '\\']) => return None,
        None => line.to_owned(),
    };
    (!key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic())).then_some(key)
}

/// The inside of a quoted string whose opening quote is gone.
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

/// Sends another key: bare where it can be.
pub(in super::super) fn set(request: &mut Request, key: &str) {
    if key.contains(['"', ',', ';', '\\']) {
        let escaped = key.replace('\\', "\\\\").replace('"', "\\\"");
        request.set(HEADER, &format!("\"{escaped}\""));
    } else {
        request.set(HEADER, key);
    }
}

/// A well-formed key that stands for a text that may be none; another text has another.
pub(in super::super) fn stand_in(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(text))
}

/// Whether a response to a generation request repeats an earlier one.
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
