//! Values that cases are drawn from.

use serde_json::Value;

/// A case that is a place in a list; the first one where it is none.
pub(crate) fn index_of(case: &Value) -> usize {
    usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0)
}
