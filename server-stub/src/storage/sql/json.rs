//! Domain values as the JSON that is stored. Reading them back is in `columns`.

use serde::Serialize;

/// The JSON of a domain value.
pub(in crate::storage) fn to_json<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("the domain's values have text keys and serialize without failing")
}
