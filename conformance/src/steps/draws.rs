//! Values that cases are drawn from.

use serde_json::Value;

/// Returns the index in a case; 0 if the case is not an index.
pub(crate) fn index_of(case: &Value) -> usize {
    usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0)
}
