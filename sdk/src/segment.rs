//! Encodes ids in paths so that they stay one segment, and names in pointers. Refuses ids for which no encoding helps.

use std::borrow::Cow;

use crate::generated::types::{FieldError, FieldErrorCode};
use crate::invalid_request::Place;

/// Encodes the id `name` as one segment of a path.
///
/// An empty id, `.` and `..` are refused: URLs resolve them away, so that the call, with its key, would go to another
/// path.
pub(crate) fn encode_segment(name: &str, id: &str) -> Result<String, Box<FieldError>> {
    if matches!(id, "" | "." | "..") {
        let detail = format!("`{name}` is {id:?}, which cannot be part of a path");
        return Err(Box::new(Place::Parameter(name).error(FieldErrorCode::InvalidFormat, detail)));
    }
    Ok(encoded(id).into_owned())
}

/// Encodes a name as one step of a pointer in a URI fragment (RFC 6901, sections 3 and 6).
pub(crate) fn step(name: &str) -> String {
    encoded(&name.replace('~', "~0").replace('/', "~1")).into_owned()
}

/// Encodes everything but unreserved characters (RFC 3986 section 2.3), so that a URL parser finds no separator in the text.
fn encoded(text: &str) -> Cow<'_, str> {
    let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    if text.bytes().all(is_unreserved) {
        return text.into();
    }
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if is_unreserved(byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push('%');
            for nibble in [byte >> 4, byte & 0x0f] {
                encoded.extend(char::from_digit(u32::from(nibble), 16).map(|digit| digit.to_ascii_uppercase()));
            }
        }
    }
    encoded.into()
}
