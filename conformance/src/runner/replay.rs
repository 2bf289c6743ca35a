//! What an earlier run found, so that another one can repeat it.
//!
//! How a failure is saved in a file is `report`'s.

use serde_json::Value;

use super::contract::OwnTexts;

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
    pub(super) fn filled(&self, own: &OwnTexts) -> Value {
        rewrite(&self.case, &|text| own.get(text).cloned())
    }
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
