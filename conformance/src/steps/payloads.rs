//! The shape of hooks, and what they may hold.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::check::{Verdict, ensure};
use crate::inbox::HookRequest;

/// Larger payloads are discouraged: receivers cut them, and a fresh copy is one request away.
pub(crate) const THIN: usize = 20 * 1024;

/// The event that a hook is about.
pub(crate) fn event_of(hook: &HookRequest) -> Option<String> {
    let in_body = || hook.json()?["id"].as_str().map(ToOwned::to_owned);
    hook.header("webhook-id").map(ToOwned::to_owned).or_else(in_body)
}

/// Every member below `value` with the name of its type; items of lists are one member, absent and null are the same.
pub(crate) fn shape(value: &Value) -> BTreeMap<String, &'static str> {
    fn walk(value: &Value, at: &str, found: &mut BTreeMap<String, &'static str>) {
        let name = match value {
            Value::Null => return,
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(items) => {
                for item in items {
                    walk(item, &format!("{at}/*"), found);
                }
                "array"
            }
            Value::Object(members) => {
                for (name, member) in members {
                    walk(member, &format!("{at}/{name}"), found);
                }
                "object"
            }
        };
        found.insert(at.to_owned(), name);
    }
    let mut found = BTreeMap::new();
    walk(value, "", &mut found);
    found
}

/// All have the same members of the same types.
pub(crate) fn same_shape(hooks: &[HookRequest]) -> Verdict {
    let mut known: BTreeMap<String, &'static str> = BTreeMap::new();
    for hook in hooks {
        for (member, name) in shape(&hook.json().unwrap_or_default()) {
            let before = *known.entry(member.clone()).or_insert(name);
            ensure(before == name, format!("{member} to be a {before} in every event"), || format!("a {name}"))?;
        }
    }
    Ok(())
}

/// It tells of what happened and does not carry it.
pub(crate) fn is_thin(hook: &HookRequest) -> Verdict {
    ensure(hook.body.len() <= THIN, "at most 20 kB", || format!("{} bytes", hook.body.len()))
}
