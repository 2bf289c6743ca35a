//! Tolerant decoding of responses: null collections, and fields whose form differs from the document.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::trace;

/// Reads `null` as an empty list or map.
pub(crate) fn null_as_empty<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Option::<T>::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Reads an undecodable field as absent, so that one bad field does not hide the rest, and logs it with `tracing`. The original text is
/// still in [`Response::body`](crate::Response::body).
pub(crate) fn readable_or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    let value = Value::deserialize(deserializer)?;
    if value.is_null() {
        return Ok(T::default());
    }
    Ok(serde_json::from_value(value).unwrap_or_else(|_fault| {
        trace::left_out(std::any::type_name::<T>());
        T::default()
    }))
}
