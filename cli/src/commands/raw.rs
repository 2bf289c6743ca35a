//! Responses as received: programs also see fields that the SDK does not define.

use contentgen_sdk::Response;
use serde_json::Value;

/// Returns the JSON of a response.
pub(super) fn raw<T>(answer: &Response<T>) -> Value {
    // The SDK has already parsed the same bytes as JSON.
    serde_json::from_slice(answer.body()).unwrap_or_default()
}

/// Returns the items of a page.
pub(super) fn raw_items(page: &[u8]) -> Vec<Value> {
    match serde_json::from_slice::<Value>(page).unwrap_or_default().get_mut("items").map(Value::take) {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    }
}
