//! Orders of articles that several areas place: plain topics, lengths, what comes of them.

use serde_json::{Value, json};

use crate::strategies::{Draw, Space};

pub(crate) fn plain(space: &Space, draw: &mut Draw) -> Value {
    json!({ "topic": space.plain_topic(draw) })
}
