//! Writes domain values as JSON for the database. `columns` reads them.

use serde::Serialize;

/// Returns the JSON of a domain value.
pub(in crate::storage) fn to_json<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("the domain's values have text keys and serialize without failing")
}
