//! Short ways to read and change headers, the same for requests and responses.

use http::header::HeaderName;
use http::{HeaderMap, HeaderValue};

/// The first value of a header, if it is text.
pub(super) fn get<'headers>(headers: &'headers HeaderMap, name: &str) -> Option<&'headers str> {
    headers.get(name)?.to_str().ok()
}

/// A value beside those there are; nothing happens with a name or value that no header can have.
pub(super) fn append(headers: &mut HeaderMap, name: &str, value: &str) {
    if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::from_str(value)) {
        headers.append(name, value);
    }
}

/// One value in the place of all there were; nothing happens with a name or value that no header can have.
pub(super) fn set(headers: &mut HeaderMap, name: &str, value: &str) {
    if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::from_str(value)) {
        headers.insert(name, value);
    }
}
