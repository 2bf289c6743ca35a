//! JSON for programs, which people see in a terminal too.

use std::fmt::Write as _;

use serde_json::Value;

use super::visible::{Line, turns_the_order};

/// A value on one line.
pub(crate) fn line(value: &Value) -> String {
    harmless(&value.to_string()) + "\n"
}

/// A value over several lines.
pub(crate) fn document(value: &Value) -> String {
    harmless(&format!("{value:#}")) + "\n"
}

/// The same JSON with every character that steers a terminal, or makes a command to a CI system, as an escape. JSON itself escapes
/// those below U+0020 only; the others occur only in strings, where `\u` means the same.
fn harmless(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    let mut line = Line::default();
    for letter in json.chars() {
        if (letter.is_control() && letter != '\n') || turns_the_order(letter) || line.makes_command(letter) {
            // A String takes every write.
            let _written = write!(text, "\\u{:04x}", u32::from(letter));
        } else {
            text.push(letter);
        }
        line.push(letter);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_escaped_is_read_as_it_was() {
        let value = serde_json::json!({ "title": "\u{1b}[2J\u{9b}\u{7f}\u{202e}é\n", "##[a]": ["##vso[b]::"] });
        for text in [line(&value), document(&value)] {
            assert!(!text.contains("##[") && !text.contains("##vso["), "{text:?}");
            assert!(!text.trim_end().contains(|letter: char| letter.is_control() && letter != '\n'), "{text:?}");
            assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        }
    }
}
