//! Values that cases are drawn from.

use serde_json::{Value, json};

use super::lists::LISTS;
use crate::strategies::{Draw, Space};

/// Returns the index in a case; 0 if the case is not an index.
pub(crate) fn index_of(case: &Value) -> usize {
    usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0)
}

/// Draws a request about a topic that any writer can write about.
pub(crate) fn plain(space: &Space, draw: &mut Draw) -> Value {
    json!({ "topic": space.plain_topic(draw) })
}

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
