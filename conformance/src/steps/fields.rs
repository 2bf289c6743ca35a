//! Fields of JSON objects.

use serde_json::Value;

/// Returns `value` without fields that are null, at every depth: null and an absent field mean the same.
pub(crate) fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let present = fields.iter().filter(|(_, field)| !field.is_null());
            present.map(|(name, field)| (name.clone(), without_nulls(field))).collect()
        }
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        other => other.clone(),
    }
}
