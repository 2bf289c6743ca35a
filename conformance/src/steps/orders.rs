//! Requests for articles with plain topics, shared by several areas.

use serde_json::{Value, json};

use crate::strategies::{Draw, Space};

/// Draws a request about a topic that any writer can write about.
pub(crate) fn plain(space: &Space, draw: &mut Draw) -> Value {
    json!({ "topic": space.plain_topic(draw) })
}
