//! Answers as they were received: members that the SDK does not know are shown to programs too.

use contentgen_sdk::Response;
use serde_json::Value;

/// The JSON of an answer.
pub(super) fn raw<T>(answer: &Response<T>) -> Value {
    // The SDK has read the same bytes as JSON before.
    serde_json::from_slice(answer.body()).unwrap_or_default()
}

/// The items of a page.
pub(super) fn raw_items<T>(page: &Response<T>) -> Vec<Value> {
    match raw(page).get_mut("items").map(Value::take) {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    }
}
