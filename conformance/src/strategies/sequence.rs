//! Sequences of steps over a few jobs, as data that can be shrunk.
//!
//! `requirements::sequences` models the expected result of each step.

use proptest::prelude::*;
use proptest::strategy::SBoxedStrategy;
use serde_json::{Value, json};

use super::list::Lists;

/// One step; indices are taken modulo the jobs that exist by then, so that dropping steps leaves no gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Queue an article.
    Generate,
    /// Read a job.
    Poll(usize),
    /// Wait until a job is done.
    Wait(usize),
    /// Cancel a job.
    Cancel(usize),
    /// Fetch an article by the job's id.
    Fetch(usize),
    /// Read the scheduled post of a job.
    Entry(usize),
}

impl Step {
    /// Returns the same step for the first job.
    fn of_first(self) -> Self {
        match self {
            Self::Generate => Self::Generate,
            Self::Poll(_) => Self::Poll(0),
            Self::Wait(_) => Self::Wait(0),
            Self::Cancel(_) => Self::Cancel(0),
            Self::Fetch(_) => Self::Fetch(0),
            Self::Entry(_) => Self::Entry(0),
        }
    }

    /// Returns the step as a JSON array, such as `["poll", 1]`.
    pub fn to_json(self) -> Value {
        match self {
            Self::Generate => json!(["generate"]),
            Self::Poll(index) => json!(["poll", index]),
            Self::Wait(index) => json!(["wait", index]),
            Self::Cancel(index) => json!(["cancel", index]),
            Self::Fetch(index) => json!(["fetch", index]),
            Self::Entry(index) => json!(["entry", index]),
        }
    }

    /// Parses the output of `to_json`.
    pub fn from_json(value: &Value) -> Option<Self> {
        let index = usize::try_from(value[1].as_u64().unwrap_or(0)).ok()?;
        Some(match value[0].as_str()? {
            "generate" => Self::Generate,
            "poll" => Self::Poll(index),
            "wait" => Self::Wait(index),
            "cancel" => Self::Cancel(index),
            "fetch" => Self::Fetch(index),
            "entry" => Self::Entry(index),
            _ => return None,
        })
    }
}

/// Returns sequences of 3 to 12 steps that begin by queueing an article, as JSON arrays.
pub fn sequences() -> SBoxedStrategy<Value> {
    let index = 0_usize..4;
    let step = prop_oneof![
        3 => Just(Step::Generate),
        4 => index.clone().prop_map(Step::Poll),
        2 => index.clone().prop_map(Step::Wait),
        2 => index.clone().prop_map(Step::Cancel),
        3 => index.clone().prop_map(Step::Fetch),
        2 => index.prop_map(Step::Entry),
    ];
    let items = proptest::collection::vec(step, 2..=11).sboxed();
    let is_valid = |steps: &[Step], minimum| steps.len() >= minimum;
    Lists { items, minimum: 0, is_valid, simplest: |step| step.of_first() }
        .prop_map(|steps| {
            let all = std::iter::once(Step::Generate).chain(steps);
            Value::Array(all.map(Step::to_json).collect())
        })
        .sboxed()
}
