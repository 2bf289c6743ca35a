//! Sequences of steps of one or more clients, as data that can be shrunk.
//!
//! `requirements::sequences` carries them out and compares the responses with the `model`.

use std::ops::RangeInclusive;

use proptest::prelude::*;
use proptest::strategy::SBoxedStrategy;
use serde_json::{Value, json};

use super::list::Lists;

/// Number of idempotency keys in a sequence, and of bodies for each.
pub const KEYS: usize = 3;
/// See [`KEYS`].
pub const BODIES: usize = 2;
/// Number of times after which a connection may be closed.
pub const CLOSINGS: usize = 12;

/// One step. Indices of jobs are taken modulo the jobs that exist by then, so that dropping steps leaves no gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Queue an article. The index below `KEYS * BODIES` stands for an idempotency key and a body.
    Generate(usize),
    /// The same, but the client closes the connection soon after it has sent the request. The quotient by `KEYS * BODIES` says how soon.
    Abandon(usize),
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

/// A step, and the client that takes it. Clients run side by side, each with its steps in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// Number of the client, from 0.
    pub client: usize,
    /// The step.
    pub step: Step,
}

impl Turn {
    /// Returns the same step of the first client with the first job or key.
    fn simplest(&self) -> Self {
        let step = match self.step {
            Step::Generate(_) => Step::Generate(0),
            Step::Abandon(_) => Step::Abandon(0),
            Step::Poll(_) => Step::Poll(0),
            Step::Wait(_) => Step::Wait(0),
            Step::Cancel(_) => Step::Cancel(0),
            Step::Fetch(_) => Step::Fetch(0),
            Step::Entry(_) => Step::Entry(0),
        };
        Self { client: 0, step }
    }

    /// Returns the turn as a JSON array of the step, its index and the client, such as `["poll", 1, 0]`.
    pub fn to_json(self) -> Value {
        let (word, index) = match self.step {
            Step::Generate(index) => ("generate", index),
            Step::Abandon(index) => ("abandon", index),
            Step::Poll(index) => ("poll", index),
            Step::Wait(index) => ("wait", index),
            Step::Cancel(index) => ("cancel", index),
            Step::Fetch(index) => ("fetch", index),
            Step::Entry(index) => ("entry", index),
        };
        json!([word, index, self.client])
    }

    /// Parses the output of `to_json`. A missing number is 0.
    pub fn from_json(value: &Value) -> Option<Self> {
        let number = |at: usize| usize::try_from(value[at].as_u64().unwrap_or(0)).ok();
        let index = number(1)?;
        let step = match value[0].as_str()? {
            "generate" => Step::Generate(index),
            "abandon" => Step::Abandon(index),
            "poll" => Step::Poll(index),
            "wait" => Step::Wait(index),
            "cancel" => Step::Cancel(index),
            "fetch" => Step::Fetch(index),
            "entry" => Step::Entry(index),
            _ => return None,
        };
        Some(Self { client: number(2)?, step })
    }
}

/// Returns sequences of at most `clients` clients, as JSON arrays. They begin by queueing an article; `length` is the number of the other
/// steps.
pub fn sequences(clients: usize, length: RangeInclusive<usize>) -> SBoxedStrategy<Value> {
    let index = 0_usize..4;
    let step = prop_oneof![
        3 => (0..KEYS * BODIES).prop_map(Step::Generate),
        1 => (0..KEYS * BODIES * CLOSINGS).prop_map(Step::Abandon),
        4 => index.clone().prop_map(Step::Poll),
        2 => index.clone().prop_map(Step::Wait),
        2 => index.clone().prop_map(Step::Cancel),
        3 => index.clone().prop_map(Step::Fetch),
        2 => index.prop_map(Step::Entry),
    ];
    let turn = (0..clients, step).prop_map(|(client, step)| Turn { client, step });
    let items = proptest::collection::vec(turn, length).sboxed();
    let is_valid = |turns: &[Turn], minimum| turns.len() >= minimum;
    Lists { items, minimum: 0, is_valid, simplest: Turn::simplest }
        .prop_map(|turns| {
            let all = std::iter::once(Turn { client: 0, step: Step::Generate(0) }).chain(turns);
            Value::Array(all.map(Turn::to_json).collect())
        })
        .sboxed()
}
