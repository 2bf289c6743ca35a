//! Repeating what an earlier run found, case by case.
//!
//! How a failure is saved in a file is `report`'s.

use serde_json::Value;

use super::cases::Execution;
use super::contract::OwnTexts;
use super::outcome::Outcome;

/// A failing case of an earlier run.
#[derive(Debug, Clone)]
pub struct Replay {
    /// The requirement that was broken.
    pub requirement: String,
    /// The requirement whose case showed it: the same, unless the broken one observes all exchanges.
    pub shown_by: String,
    /// Seed of that run.
    pub seed: u64,
    /// Index of the case that failed first.
    pub case_index: u32,
    /// The smallest case, with names such as `{website_id}` for what every target has of its own.
    pub case: Value,
}

impl Replay {
    /// Makes `case` fit for any target: `own` are the texts that only this one has, by the names that stand for them.
    pub fn generalise(case: &Value, own: &OwnTexts) -> Value {
        rewrite(case, &|text| own.iter().find(|(_, known)| *known == text).map(|(name, _)| (*name).to_owned()))
    }

    /// The case for a target with these texts of its own.
    fn filled(&self, own: &OwnTexts) -> Value {
        rewrite(&self.case, &|text| own.get(text).cloned())
    }
}

/// How hard a replay tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// The saved case alone, once.
    Once,
    /// Then beside copies of itself, then after all the cases that came before it.
    Thorough,
}

/// Repeats `replay`; `None` when nothing is broken any more. `seen` tells whether an observer found something.
pub(crate) async fn repeat(
    execution: &Execution<'_>,
    replay: &Replay,
    effort: Effort,
    seen: &(dyn Fn() -> bool + Sync),
) -> Option<Outcome> {
    let case = replay.filled(&execution.contract.own_texts(execution.context.facts()));
    let mut undecided = None;
    let rounds: &[usize] = if effort == Effort::Once { &[1] } else { &[1, 16, 16] };
    for (round, copies) in rounds.iter().enumerate() {
        match execution.copies(replay.case_index, round, &case, *copies).await {
            Some(failed @ Outcome::Failed(_)) => return Some(failed),
            Some(other) => undecided = Some(other),
            None => {}
        }
        if seen() {
            return None;
        }
    }
    if effort == Effort::Thorough {
        let whole = Execution { seed: replay.seed, cases: 0..replay.case_index.saturating_add(1), ..*execution };
        match whole.run().await.0 {
            Outcome::Passed => {}
            other => return Some(other),
        }
    }
    undecided
}

fn rewrite(value: &Value, change: &dyn Fn(&str) -> Option<String>) -> Value {
    match value {
        Value::String(text) => Value::String(change(text).unwrap_or_else(|| text.clone())),
        Value::Array(items) => items.iter().map(|item| rewrite(item, change)).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, member)| (name.clone(), rewrite(member, change))).collect()
        }
        other => other.clone(),
    }
}
