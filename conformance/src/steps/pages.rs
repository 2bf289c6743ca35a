//! Lists and limits that cases are drawn from.

use serde_json::{Value, json};

use crate::steps::lists::{LISTS, List};
use crate::strategies::{Draw, Space};

/// Draws a list, a small limit, and the default limit of the list.
pub(crate) fn list_and_limit(space: &Space, draw: &mut Draw) -> Value {
    let list = LISTS[draw.index() % 4];
    let limit = space.document().operation(list.operation).and_then(|found| found.parameter("query", "limit"));
    let schema = limit.map(|limit| limit.schema.clone()).unwrap_or_default();
    let least = schema["minimum"].as_u64().unwrap_or(1);
    json!({ "list": list.path, "limit": draw.below(9) as u64 + least, "default": schema["default"] })
}

/// Draws the cases in their order, again and again.
pub(crate) fn one_of(cases: &[Value], draw: &Draw) -> Value {
    cases.get(draw.index() % cases.len().max(1)).cloned().unwrap_or_default()
}

/// Returns the list that a case names.
pub(crate) fn list_of(case: &Value) -> List {
    List::named(case.as_str().or_else(|| case["list"].as_str()).unwrap_or_default())
}
