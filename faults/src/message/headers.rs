//! Reads and changes headers of requests and responses.

use http::header::HeaderName;
use http::{HeaderMap, HeaderValue};

/// Returns the first value of a header, if it is text.
pub(super) fn get<'headers>(headers: &'headers HeaderMap, name: &str) -> Option<&'headers str> {
    headers.get(name)?.to_str().ok()
}

/// Adds a value to a header. Ignores an invalid name or value.
pub(super) fn append(headers: &mut HeaderMap, name: &str, value: &str) {
    if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::from_str(value)) {
        headers.append(name, value);
    }
}

/// Replaces all values of a header. Ignores an invalid name or value.
pub(super) fn set(headers: &mut HeaderMap, name: &str, value: &str) {
    if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::from_str(value)) {
        headers.insert(name, value);
    }
}
