//! Idempotency keys: the header, which keys may be sent, and the one that a call makes for itself.

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::error::Error;
use crate::random;

/// The header by which a server recognises a repeated request (draft-ietf-httpapi-idempotency-key-header-07).
pub(crate) static IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// The header by which a server says that it had the key before, and what it says then.
static IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const REPLAYED: &[u8] = b"true";
/// Most characters of a key, without its quotes.
const LONGEST: usize = 255;

/// A key that no other call has.
pub(crate) fn fresh() -> Result<HeaderValue, Error> {
    Ok(HeaderValue::from_bytes(&random::uuid()?).expect("a UUID is visible ASCII"))
}

/// The same as text.
pub(crate) fn fresh_text() -> Result<String, Error> {
    Ok(random::uuid()?.into_iter().map(char::from).collect())
}

/// Whether a response says that it repeats an earlier one.
pub(crate) fn is_replayed(headers: &HeaderMap) -> bool {
    headers.get(&IDEMPOTENCY_REPLAYED).is_some_and(|value| value.as_bytes() == REPLAYED)
}

/// What a key looks like.
pub(crate) fn form() -> String {
    format!(
        "an `Idempotency-Key` has 1 to {LONGEST} visible ASCII characters; commas, semicolons, quotes and backslashes only inside of \
         a quoted string, such as \"order;4711\" with its quotes"
    )
}

/// Whether it is a token or a quoted string of the document's pattern. A server that overlooks an empty one would do a repeated call
/// twice.
pub(crate) fn is_key(key: &HeaderValue) -> bool {
    let count = match key.as_bytes() {
        [b'"', inside @ .., b'"'] => quoted(inside),
        bare => bare.iter().all(|byte| byte.is_ascii_graphic() && !b"\",;\\".contains(byte)).then_some(bare.len()),
    };
    count.is_some_and(|count| (1..=LONGEST).contains(&count))
}

/// How many characters stand between the quotes of a string (RFC 9651 section 3.3.3), if that is what they are.
fn quoted(inside: &[u8]) -> Option<usize> {
    let mut bytes = inside.iter();
    let mut count = 0;
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => bytes.next().filter(|escaped| b"\"\\".contains(escaped)).map(|_| ())?,
            b'"' => return None,
            byte if !byte.is_ascii_graphic() => return None,
            _ => {}
        }
        count += 1;
    }
    Some(count)
}
