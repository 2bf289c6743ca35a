//! Shortens long texts, and finds the first difference of two values, so that users need not compare long texts.

use std::fmt::Write as _;

use serde_json::Value;

/// Characters that are shown before the difference and after its start.
const BEFORE: usize = 12;
const AFTER: usize = 16;
/// Maximum length of a value that is shown if the two values are not both text.
const VALUE: usize = 60;

/// Returns `text`, or its first `length` characters with `…` and the number of omitted characters.
pub fn excerpt(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}… ({} more characters)", &text[..end], text[end..].chars().count()),
    }
}

/// Returns the first difference of two texts: its position in characters, from 0, and the text around it on both sides,
/// with non-ASCII characters as code points. Returns `None` for equal texts.
pub(crate) fn of_texts(expected: &str, observed: &str) -> Option<String> {
    let pairs = expected.char_indices().zip(observed.chars());
    let same = pairs.take_while(|((_, wanted), seen)| wanted == seen).count();
    let (wanted, seen): (Vec<char>, Vec<char>) = (expected.chars().collect(), observed.chars().collect());
    if same == wanted.len() && same == seen.len() {
        return None;
    }
    let mut told = format!("from character {same} on: {} instead of {}", around(&seen, same), around(&wanted, same));
    if seen.len() != wanted.len() {
        // Writing to a `String` never fails.
        let _ = write!(told, "; {} characters long instead of {}", seen.len(), wanted.len());
    }
    Some(told)
}

/// Returns the first difference of two values of one kind, with the JSON Pointer to it. Returns `None` for equal values
/// and for values that are best shown whole.
pub(crate) fn of_values(expected: &Value, observed: &Value) -> Option<String> {
    let mut place = String::new();
    let told = below(expected, observed, &mut place)?;
    Some(if place.is_empty() { told } else { format!("at {} {told}", excerpt(&place, VALUE)) })
}

fn below(expected: &Value, observed: &Value, place: &mut String) -> Option<String> {
    match (expected, observed) {
        (Value::String(expected), Value::String(observed)) => of_texts(expected, observed),
        (Value::Array(expected), Value::Array(observed)) => {
            let at = expected.iter().zip(observed).position(|(wanted, seen)| wanted != seen);
            let Some(at) = at else {
                let lengths = (observed.len(), expected.len());
                return (lengths.0 != lengths.1).then(|| format!("{} items instead of {}", lengths.0, lengths.1));
            };
            descend(&expected[at], &observed[at], &at.to_string(), place)
        }
        (Value::Object(expected), Value::Object(observed)) => {
            let mut names = expected.keys().chain(observed.keys());
            let name = names.find(|name| expected.get(*name) != observed.get(*name))?;
            match (expected.get(name), observed.get(name)) {
                (Some(wanted), Some(seen)) => descend(wanted, seen, name, place),
                (Some(_), None) => Some(format!("member `{}` is missing", excerpt(name, VALUE))),
                _ => Some(format!("member `{}` is too many", excerpt(name, VALUE))),
            }
        }
        _ => None,
    }
}

fn descend(expected: &Value, observed: &Value, name: &str, place: &mut String) -> Option<String> {
    // Writing to a `String` never fails.
    let _ = write!(place, "/{}", name.replace('~', "~0").replace('/', "~1"));
    let whole = || {
        let [seen, wanted] = [observed, expected].map(|value| excerpt(&value.to_string(), VALUE));
        (expected != observed).then(|| format!("{seen} instead of {wanted}"))
    };
    below(expected, observed, place).or_else(whole)
}

/// Returns the text around character `at`, or says that the text ends there.
fn around(text: &[char], at: usize) -> String {
    if at >= text.len() {
        return "the end".to_owned();
    }
    let from = at.saturating_sub(BEFORE);
    let end = text.len().min(at + AFTER);
    let shown: String = text[from..end].iter().copied().map(spelled).collect();
    let (begun, more) = (if from > 0 { "…" } else { "" }, if end < text.len() { "…" } else { "" });
    format!("{begun}\"{shown}\"{more}")
}

/// Returns the character, or its code point if readers may confuse it with another character.
fn spelled(letter: char) -> String {
    if letter == ' ' || letter.is_ascii_graphic() { letter.to_string() } else { letter.escape_unicode().to_string() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{excerpt, of_texts, of_values};

    #[test]
    fn the_first_character_that_differs_is_named_with_its_surroundings() {
        let long = "lorem ".repeat(40);
        let told = of_texts(&format!("{long}caf\u{e9} end"), &format!("{long}cafe\u{301} end"));
        assert_eq!(
            told.as_deref(),
            Some(
                "from character 243 on: …\"em lorem cafe\\u{301} end\" instead of …\"em lorem caf\\u{e9} end\"; \
                 249 characters long instead of 248"
            )
        );
        assert_eq!(of_texts(&long, &long), None);
    }

    #[test]
    fn a_text_that_was_cut_ends_where_the_other_goes_on() {
        assert_eq!(
            of_texts("ab\ncd", "ab").as_deref(),
            Some("from character 2 on: the end instead of \"ab\\u{a}cd\"; 2 characters long instead of 5")
        );
    }

    #[test]
    fn a_member_that_differs_is_named_by_its_pointer() {
        let wanted = json!({ "a": 1, "b/c": [1, { "d": "x" }], "e": true });
        for (seen, told) in [
            (
                json!({ "a": 1, "b/c": [1, { "d": "y" }], "e": true }),
                "at /b~1c/1/d from character 0 on: \"y\" instead of \"x\"",
            ),
            (json!({ "a": 2, "b/c": [1, { "d": "x" }], "e": true }), "at /a 2 instead of 1"),
            (json!({ "a": 1, "b/c": [1], "e": true }), "at /b~1c 1 items instead of 2"),
            (json!({ "b/c": [1, { "d": "x" }], "e": true }), "member `a` is missing"),
            (json!({ "a": 1, "b/c": [1, { "d": "x" }], "e": true, "f": 0 }), "member `f` is too many"),
        ] {
            assert_eq!(of_values(&wanted, &seen).as_deref(), Some(told));
        }
        assert_eq!(of_values(&wanted, &wanted), None);
        assert_eq!(of_values(&json!(1), &json!("1")), None, "shown whole");
    }

    #[test]
    fn what_is_cut_says_how_much_is_left_out() {
        assert_eq!(excerpt("né", 2), "né");
        assert_eq!(excerpt("né\u{1f600}è", 2), "né… (2 more characters)");
        assert_eq!(excerpt("", 0), "");
    }
}
