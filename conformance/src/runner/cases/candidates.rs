//! Candidates for shrinking a failing case: smaller JSON values, largest reductions first.
//!
//! The caller runs the candidates: see `cases`.

use serde_json::Value;

/// Returns smaller versions of `case`, changed only at `focus`, largest reductions first, without repeats.
pub(crate) fn candidates(case: &Value, focus: &str) -> Vec<Value> {
    let Some(part) = case.pointer(focus) else {
        return Vec::new();
    };
    let mut found: Vec<Value> = Vec::new();
    for smaller in smaller(part) {
        let mut candidate = case.clone();
        if let Some(place) = candidate.pointer_mut(focus) {
            *place = smaller;
        }
        if candidate != *case && !found.contains(&candidate) {
            found.push(candidate);
        }
    }
    found
}

fn smaller(value: &Value) -> Vec<Value> {
    match value {
        Value::Object(members) => {
            let without = |dropped: &dyn Fn(usize) -> bool| {
                let kept = members.iter().enumerate().filter(|(index, _)| !dropped(*index));
                Value::Object(kept.map(|(_, (name, value))| (name.clone(), value.clone())).collect())
            };
            // All but one, then each one. The caller rejects candidates without required fields.
            let mut found: Vec<Value> = (0..members.len()).map(|kept| without(&|index| index != kept)).collect();
            for first in 0..members.len() {
                for second in first + 1..members.len() {
                    found.push(without(&|index| index != first && index != second));
                }
            }
            found.extend((0..members.len()).map(|dropped| without(&|index| index == dropped)));
            for (name, member) in members {
                found.extend(smaller(member).into_iter().map(|smaller| {
                    let mut changed = members.clone();
                    changed.insert(name.clone(), smaller);
                    Value::Object(changed)
                }));
            }
            found
        }
        Value::Array(items) => {
            let mut found: Vec<Value> =
                cuts(items.len()).map(|(from, to)| Value::Array([&items[..from], &items[to..]].concat())).collect();
            for (index, item) in items.iter().enumerate() {
                found.extend(smaller(item).into_iter().map(|smaller| {
                    let mut changed = items.clone();
                    changed[index] = smaller;
                    Value::Array(changed)
                }));
            }
            found
        }
        Value::String(text) => texts(text).into_iter().map(Value::String).collect(),
        Value::Number(number) => {
            number.as_i64().map(numbers).unwrap_or_default().into_iter().map(Value::from).collect()
        }
        _ => Vec::new(),
    }
}

fn texts(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let plain = "a".repeat(letters.len());
    let mut found = Vec::new();
    if plain != text {
        found.push(plain);
    }
    for (from, to) in cuts(letters.len()) {
        found.push(letters[..from].iter().chain(&letters[to..]).collect());
    }
    for (index, letter) in letters.iter().enumerate().take(64) {
        if *letter != 'a' {
            let mut changed = letters.clone();
            changed[index] = 'a';
            found.push(changed.into_iter().collect());
        }
    }
    found
}

fn numbers(number: i64) -> Vec<i64> {
    let mut found = vec![0, number / 2, number - number.signum()];
    found.retain(|smaller| *smaller != number);
    found
}

/// Returns ranges to cut out of `length` items: all, halves, quarters, … single ones (at most 64 of each).
fn cuts(length: usize) -> impl Iterator<Item = (usize, usize)> {
    let sizes = std::iter::successors(Some(length), |size| (*size > 1).then_some(size / 2));
    sizes
        .filter(|size| *size > 0)
        .flat_map(move |size| (0..length).step_by(size).take(64).map(move |from| (from, (from + size).min(length))))
}

#[cfg(test)]
mod tests {
    use super::candidates;
    use serde_json::{Value, json};

    /// Shrinks with a pure predicate, as `cases` does with the target's responses.
    fn minimal(mut case: Value, focus: &str, fails: impl Fn(&Value) -> bool) -> Value {
        while let Some(next) = candidates(&case, focus).into_iter().find(|next| fails(next)) {
            case = next;
        }
        case
    }

    #[test]
    fn a_long_text_shrinks_to_the_one_letter_that_matters() {
        let start = json!({ "topic": format!("{}q{}", "é".repeat(300), "z".repeat(200)), "website_id": "w" });
        let end = minimal(start, "", |case| {
            case["website_id"] == "w" && case["topic"].as_str().is_some_and(|topic| topic.contains('q'))
        });
        assert_eq!(end, json!({ "topic": "q", "website_id": "w" }));
    }

    #[test]
    fn optional_members_go_and_numbers_reach_their_threshold() {
        let start = json!({ "a": 900, "b": [1, 2, 3], "c": { "d": "e" } });
        let end = minimal(start, "", |case| case["a"].as_i64().is_some_and(|a| a >= 137));
        assert_eq!(end, json!({ "a": 137 }));
    }

    #[test]
    fn a_list_shrinks_to_the_two_items_that_clash() {
        let start = json!({ "steps": [5, 1, 9, 7, 1, 3, 9] });
        let end = minimal(start, "/steps", |case| {
            let steps = case["steps"].as_array().cloned().unwrap_or_default();
            steps.iter().filter(|step| **step == json!(9)).count() == 2
        });
        assert_eq!(end, json!({ "steps": [9, 9] }));
    }

    #[test]
    fn nothing_outside_the_focus_changes() {
        let case = json!({ "kept": "long text", "body": { "x": "yy" } });
        assert!(candidates(&case, "/body").iter().all(|smaller| smaller["kept"] == "long text"));
    }
}
