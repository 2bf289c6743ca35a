//! A value for or from a database. Both schemas use only four kinds: text (including JSON), whole numbers (including times in
//! milliseconds and booleans), bytes and NULL.

use std::fmt;

use bytes::Bytes;

use crate::domain::clock::Timestamp;
use crate::domain::personal::Personal;

/// A borrowed value. Its `Debug` output shows only the length of texts and bytes, because they may be personal data.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::storage) enum Value<'a> {
    Null,
    Integer(i64),
    Text(&'a str),
    Bytes(&'a [u8]),
}

/// The parameters of a statement in the order of their numbers.
macro_rules! values {
    ($($value:expr),* $(,)?) => { &[$($crate::storage::sql::Value::from($value)),*] };
}
pub(in crate::storage) use values;

impl fmt::Debug for Value<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => formatter.write_str("Null"),
            Self::Integer(number) => write!(formatter, "Integer({number})"),
            Self::Text(text) => write!(formatter, "Text({} bytes)", text.len()),
            Self::Bytes(bytes) => write!(formatter, "Bytes({})", bytes.len()),
        }
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a [u8]> for Value<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'a> From<&'a Bytes> for Value<'a> {
    fn from(bytes: &'a Bytes) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'a> From<&'a Personal<String>> for Value<'a> {
    fn from(text: &'a Personal<String>) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a Personal<Bytes>> for Value<'a> {
    fn from(bytes: &'a Personal<Bytes>) -> Self {
        Self::Bytes(bytes)
    }
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<u32> for Value<'_> {
    fn from(number: u32) -> Self {
        Self::Integer(number.into())
    }
}

impl From<u16> for Value<'_> {
    fn from(number: u16) -> Self {
        Self::Integer(number.into())
    }
}

impl From<u8> for Value<'_> {
    fn from(number: u8) -> Self {
        Self::Integer(number.into())
    }
}

impl From<bool> for Value<'_> {
    fn from(is_so: bool) -> Self {
        Self::Integer(is_so.into())
    }
}

impl From<Timestamp> for Value<'_> {
    fn from(time: Timestamp) -> Self {
        Self::Integer(time.millis())
    }
}

impl<T: Into<Self>> From<Option<T>> for Value<'_> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<'a> From<&'a Option<String>> for Value<'a> {
    fn from(text: &'a Option<String>) -> Self {
        text.as_deref().into()
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn debug_output_shows_no_text_and_no_bytes() {
        let values = [Value::Null, Value::Integer(7), Value::Text("planted"), Value::Bytes(b"planted")];
        assert_eq!(format!("{values:?}"), "[Null, Integer(7), Text(7 bytes), Bytes(7)]");
    }
}
