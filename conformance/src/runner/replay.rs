//! Repeating what an earlier run found, case by case.
//!
//! How a failure is saved in a file is `report`'s.

use serde_json::Value;

use super::cases::Execution;
use super::outcome::Outcome;
use crate::check::Facts;

/// Stands in a saved case for the website under test, because another target has another one.
const WEBSITE: &str = "{website_id}";
const OTHER_WEBSITE: &str = "{other_website_id}";

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
    /// The smallest case, with `{website_id}` for the website under test.
    pub case: Value,
}

impl Replay {
    /// Makes `case` fit for any target.
    pub fn generalise(case: &Value, facts: &Facts) -> Value {
        rewrite(case, &|text| match text {
            text if text == facts.website_id => Some(WEBSITE.to_owned()),
            text if Some(text) == facts.other_website_id.as_deref() => Some(OTHER_WEBSITE.to_owned()),
            _ => None,
        })
    }

    /// The case for the target that `facts` tell of.
    fn filled(&self, facts: &Facts) -> Value {
        rewrite(&self.case, &|text| match text {
            WEBSITE => Some(facts.website_id.clone()),
            OTHER_WEBSITE => facts.other_website_id.clone(),
            _ => None,
        })
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
    let case = replay.filled(execution.context.facts());
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
