//! Values of fields and parameters of requests: their conversion and the checks of their bounds. The bounds of each field are
//! generated.

use std::collections::BTreeMap;

use reqwest::header::HeaderValue;

use crate::generated::types::{FieldError, FieldErrorCode};
use crate::idempotency::{self, IDEMPOTENCY_KEY};
use crate::invalid_request::{Faults, Place};
use crate::segment::step;

/// Value given to a builder for a field or parameter, or the reason why it cannot be used.
pub(crate) type Given<T> = Result<T, Box<FieldError>>;

/// Converts a value to the type of a field or parameter.
pub(crate) fn converted<V, T>(place: Place<'_>, value: V) -> Given<T>
where
    V: TryInto<T>,
    V::Error: std::fmt::Display,
{
    value.try_into().map_err(|error| {
        let detail = format!("`{}` cannot be used: {error}", place.name());
        Box::new(place.error(FieldErrorCode::InvalidFormat, detail))
    })
}

/// Parses a header value: no line breaks or other control characters. An idempotency key has more bounds.
pub(crate) fn header(name: &str, value: &str) -> Given<HeaderValue> {
    let refused = |detail| Box::new(Place::Header(name).error(FieldErrorCode::InvalidFormat, detail));
    let header = HeaderValue::try_from(value)
        .map_err(|_| refused(format!("`{name}` must not contain line breaks or other control characters")))?;
    if name.eq_ignore_ascii_case(IDEMPOTENCY_KEY.as_str()) && !idempotency::is_key(&header) {
        return Err(refused(idempotency::form()));
    }
    Ok(header)
}

/// Checks the length of a text, in characters.
pub(crate) fn text(path: &str, value: &str, minimum: u64, maximum: u64, trimmed: bool, faults: &mut Faults) {
    let counted = if trimmed { value.trim() } else { value };
    // A character has one to four bytes, so most texts need no counting.
    let bytes = counted.len() as u64;
    if bytes <= maximum && bytes >= minimum.saturating_mul(4) {
        return;
    }
    let length = counted.chars().count() as u64;
    let place = Place::Member(path);
    if length < minimum {
        let detail = if length == 0 {
            format!("`{path}` must not be empty")
        } else {
            format!("`{path}` has {length} characters; at least {minimum} are needed")
        };
        faults.add(place.error(FieldErrorCode::TooShort, detail));
    } else if length > maximum {
        let detail = format!("`{path}` has {length} characters; at most {maximum} are allowed");
        faults.add(place.error(FieldErrorCode::TooLong, detail));
    }
}

/// Checks that a number lies in a range.
pub(crate) fn integer(path: &str, value: u64, minimum: u64, maximum: u64, faults: &mut Faults) {
    if !(minimum..=maximum).contains(&value) {
        let detail = format!("`{path}` is {value}; it must be between {minimum} and {maximum}");
        faults.add(Place::Member(path).error(FieldErrorCode::OutOfRange, detail));
    }
}

/// Checks the number of texts in a list, and each of them.
pub(crate) fn texts(path: &str, values: &[String], maximum: u64, shortest: u64, longest: u64, faults: &mut Faults) {
    // Skips per-item errors of an oversized list.
    if count(path, values.len(), maximum, faults) {
        for (at, value) in values.iter().enumerate() {
            text(&format!("{path}/{at}"), value, shortest, longest, false, faults);
        }
    }
}

/// Checks the number of entries of a map, and the lengths of each name and text in it.
pub(crate) fn map(
    path: &str,
    values: &BTreeMap<String, String>,
    maximum: u64,
    (shortest, longest): (u64, u64),
    longest_text: u64,
    faults: &mut Faults,
) {
    if !count(path, values.len(), maximum, faults) {
        return;
    }
    for (name, value) in values {
        let length = name.chars().count() as u64;
        if (shortest..=longest).contains(&length) {
            text(&format!("{path}/{}", step(name)), value, 0, longest_text, false, faults);
        } else {
            let code = if length < shortest { FieldErrorCode::TooShort } else { FieldErrorCode::TooLong };
            let detail = format!("a name in `{path}` has {length} characters; {shortest} to {longest} are allowed");
            faults.add(Place::Member(path).error(code, detail));
        }
    }
}

/// Returns true if the number of entries is allowed.
fn count(path: &str, entries: usize, maximum: u64, faults: &mut Faults) -> bool {
    let is_allowed = entries as u64 <= maximum;
    if !is_allowed {
        let detail = format!("`{path}` has {entries} entries; at most {maximum} are allowed");
        faults.add(Place::Member(path).error(FieldErrorCode::TooMany, detail));
    }
    is_allowed
}
