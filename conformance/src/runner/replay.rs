//! A failure of an earlier run, in a form that another run can repeat.
//!
//! `report` saves failures in files.

use serde_json::Value;

use super::contract::OwnTexts;

/// A failing case of an earlier run.
#[derive(Debug, Clone)]
pub struct Replay {
    /// The requirement that was broken.
    pub requirement: String,
    /// The requirement whose case showed it: the same one, unless the broken requirement observes all exchanges.
    pub shown_by: String,
    /// Seed of that run.
    pub seed: u64,
    /// Index of the case that failed first.
    pub case_index: u32,
    /// The smallest case, with placeholders such as `{website_id}` for texts of one target.
    pub case: Value,
}

impl Replay {
    /// Replaces the texts of one target in `case` with their placeholders. `own` contains the texts by placeholder.
    pub fn generalise(case: &Value, own: &OwnTexts) -> Value {
        rewrite(case, &|text| own.iter().find(|(_, known)| *known == text).map(|(name, _)| (*name).to_owned()))
    }

    /// Returns the case with its placeholders replaced by the texts in `own`.
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
