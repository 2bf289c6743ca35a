//! Compares a value that was read with the value that was sent.

use serde_json::{Map, Value};

use super::sampler::Known;

/// Number of compared characters of a time, up to the second. Fractions may be written with fewer digits.
const TIME_DIGITS: usize = 19;

/// Number of sent members and values that are new in the document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct New {
    pub(super) members: usize,
    /// Number of new values of open vocabularies.
    pub(super) values: usize,
}

/// Lists the places of `sent` that are missing from `read`; counts new members and values.
pub(super) fn lost(sent: &Value, read: &Value, known: &Known, new: &mut New) -> Vec<String> {
    let mut lost = Vec::new();
    compare(sent, Some(read), "", known, (&mut lost, new));
    lost
}

fn compare(sent: &Value, read: Option<&Value>, place: &str, known: &Known, (lost, new): (&mut Vec<String>, &mut New)) {
    let is_same = match (sent, read) {
        (Value::Object(members), Some(Value::Object(_))) => {
            for (name, value) in members {
                let place = format!("{place}/{name}");
                let read = read.and_then(|read| read.get(name));
                if known.members.contains(name) {
                    compare(value, read, &place, known, (lost, new));
                    continue;
                }
                // Names in the caller's maps do not come from the document.
                new.members += usize::from(known.added.contains(name));
                // No program interprets this value, so it must be kept unchanged, even if it is `null`.
                if read != Some(value) {
                    lost.push(format!("{place}: sent {value}, read {read:?}"));
                }
            }
            return;
        }
        (Value::Array(items), Some(Value::Array(others))) if items.len() == others.len() => {
            for (index, (one, other)) in items.iter().zip(others).enumerate() {
                compare(one, Some(other), &format!("{place}/{index}"), known, (lost, new));
            }
            return;
        }
        // An absent member and `null` mean the same; empty collections may be omitted.
        (Value::Null, None | Some(Value::Null)) => true,
        (Value::Null, Some(read)) => is_empty(read),
        (_, None) => is_empty(sent),
        (Value::Number(one), Some(Value::Number(other))) => one == other || one.as_f64() == other.as_f64(),
        (Value::String(one), Some(Value::String(other))) => {
            new.values += usize::from(known.added_values.contains(one));
            one == other || is_same_time(one, other)
        }
        (one, Some(other)) => one == other,
    };
    if !is_same {
        lost.push(format!("{place}: sent {sent}, read {read:?}"));
    }
}

fn is_empty(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty) || value.as_object().is_some_and(Map::is_empty)
}

fn is_same_time(one: &str, other: &str) -> bool {
    let second = |text: &str| text.get(..TIME_DIGITS).map(str::to_owned);
    let is_time = |text: &str| text.ends_with('Z') && text.as_bytes().get(10) == Some(&b'T');
    is_time(one) && is_time(other) && second(one) == second(other)
}
