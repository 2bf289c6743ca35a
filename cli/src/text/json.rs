//! JSON for programs, safe to show in a terminal.

use std::fmt::Write as _;

use serde_json::Value;

use super::visible::{Line, turns_the_order};

/// Formats a value on one line.
pub(crate) fn line(value: &Value) -> String {
    harmless(&value.to_string()) + "\n"
}

/// Formats a value over several lines.
pub(crate) fn document(value: &Value) -> String {
    harmless(&format!("{value:#}")) + "\n"
}

/// Escapes every character that controls a terminal or starts a command to a CI system. JSON itself escapes only those below U+0020. The
/// others occur only in strings, where `\u` has the same meaning.
fn harmless(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    let mut line = Line::default();
    for letter in json.chars() {
        if (letter.is_control() && letter != '\n') || turns_the_order(letter) || line.makes_command(letter) {
            // Writing to a String cannot fail.
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
