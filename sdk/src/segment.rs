//! Ids in paths: encoded so that they stay one segment, refused where no encoding can help.

use std::borrow::Cow;

use progenitor_client::Error;

/// Encodes an id as one segment of a path.
///
/// An empty id, `.` and `..` are refused: URLs resolve them away, so that the call, with its key, would go to another
/// path. Everything but unreserved characters is encoded (RFC 3986 section 2.3), which leaves nothing for a URL parser
/// to take as a separator.
#[cfg_attr(
    not(target_family = "wasm"),
    expect(clippy::result_large_err, reason = "the error's type is the one that generated code works with")
)]
pub(crate) fn encode_segment<E>(id: &str) -> Result<Cow<'_, str>, Error<E>> {
    if matches!(id, "" | "." | "..") {
        return Err(Error::InvalidRequest(format!("the id {id:?} cannot stand in a path")));
    }
    let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    if id.bytes().all(is_unreserved) {
        return Ok(id.into());
    }
    let mut encoded = String::with_capacity(id.len());
    for byte in id.bytes() {
        if is_unreserved(byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push('%');
            for nibble in [byte >> 4, byte & 0x0f] {
                encoded.extend(char::from_digit(u32::from(nibble), 16).map(|digit| digit.to_ascii_uppercase()));
            }
        }
    }
    Ok(encoded.into())
}
