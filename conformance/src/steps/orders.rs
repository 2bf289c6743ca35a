//! Orders of articles that several areas place: plain topics, lengths, what comes of them.

use serde_json::{Value, json};

use crate::strategies::{Draw, Space};

/// An order about a topic that any writer can write about.
pub(crate) fn plain(space: &Space, draw: &mut Draw) -> Value {
    json!({ "topic": space.plain_topic(draw) })
}
