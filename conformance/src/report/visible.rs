//! Makes text of a hostile target safe to print: shows control characters and bidirectional controls as `\u{…}`, and
//! adds a backslash to text that a CI system would run as a command. Also writes indented JSON, and base URLs without credentials.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde::Serialize;

/// Returns `text` with every character visible and without commands. Keeps line feeds and tabs.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(hides) {
        return disarmed(text);
    }
    let shown: String = text
        .chars()
        .flat_map(|letter| {
            let escaped = hides(letter).then(|| letter.escape_unicode());
            let plain = escaped.is_none().then_some(letter);
            escaped.into_iter().flatten().chain(plain)
        })
        .collect();
    Cow::Owned(disarmed(&shown).into_owned())
}

/// Returns the same on one line.
pub(crate) fn on_one_line(text: &str) -> String {
    visible(text).replace('\n', "\\n").replace('\t', "\\t")
}

/// Returns the same for JSON, with JSON escapes: programs read the original text.
pub(super) fn visible_json(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    let mut line = Line::default();
    for letter in json.chars() {
        if hides(letter) || line.makes_command(letter) {
            // Writing to a `String` never fails.
            let _ = write!(safe, "\\u{:04x}", u32::from(letter));
        } else {
            safe.push(letter);
        }
        line.push(letter);
    }
    safe
}

/// Returns `value` as indented JSON with a final newline.
pub(super) fn pretty(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("the value has only texts as member names");
    text.push('\n');
    text
}

/// Returns a base URL without the part before an `@`.
pub(super) fn without_credentials(base_url: &str) -> String {
    let Ok(mut url) = url::Url::parse(base_url) else {
        return "an unreadable base URL".to_owned();
    };
    // This only fails for addresses without a host, which have no credentials.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.to_string()
}

/// Returns a text as one word of a POSIX shell, for commands that reports print. Omits NUL, which no argument can contain.
pub(crate) fn shell_word(text: &str) -> String {
    shlex::try_quote(&text.replace('\0', "")).map(Cow::into_owned).unwrap_or_default()
}

fn hides(letter: char) -> bool {
    let turns = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let vanishes = matches!(letter, '\u{200b}'..='\u{200d}' | '\u{2028}' | '\u{2029}' | '\u{feff}');
    turns || vanishes || (letter.is_control() && !matches!(letter, '\n' | '\t'))
}

/// Returns `text` with a backslash in every command to a CI system.
fn disarmed(text: &str) -> Cow<'_, str> {
    if !text.contains(['#', ':']) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    let mut line = Line::default();
    for letter in text.chars() {
        if line.makes_command(letter) {
            safe.push('\\');
        }
        safe.push(letter);
        line.push(letter);
    }
    Cow::Owned(safe)
}

/// The ASCII characters of a line so far, from its first letter on: GitHub's runner ignores invisible characters.
#[derive(Default)]
struct Line(String);

impl Line {
    /// Returns true if a CI system could take the line for a command because of this next letter: the bracket of `##[…]`
    /// (GitHub, Azure), `##vso[…]` (Azure) or `##teamcity[…]`, anywhere in a line, or the second colon of a line that begins with two
    /// (GitHub).
    fn makes_command(&self, next: char) -> bool {
        match next {
            '[' => self.0.trim_end_matches(|letter: char| letter.is_ascii_alphanumeric()).ends_with("##"),
            ':' => self.0 == ":",
            _ => false,
        }
    }

    fn push(&mut self, letter: char) {
        if letter == '\n' {
            self.0.clear();
        } else if letter.is_ascii() && !(self.0.is_empty() && letter.is_ascii_whitespace()) {
            self.0.push(letter);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{on_one_line, visible, visible_json};

    #[test]
    fn what_moves_a_cursor_or_turns_the_writing_is_spelled_out() {
        assert_eq!(visible("a\u{1b}[2Jb\u{202e}c\r\u{feff}"), "a\\u{1b}[2Jb\\u{202e}c\\u{d}\\u{feff}");
        assert_eq!(on_one_line("é\n\u{1f600}\tx"), "é\\n\u{1f600}\\tx");
    }

    #[test]
    fn no_line_is_a_command_to_a_ci_system() {
        for (text, shown) in [
            ("a ##[set-output name=x]y", "a ##\\[set-output name=x]y"),
            ("###[stop-commands]x", "###\\[stop-commands]x"),
            ("##vso[task.setvariable variable=x]y", "##vso\\[task.setvariable variable=x]y"),
            ("x ##teamcity[buildStop]", "x ##teamcity\\[buildStop]"),
            ("#\u{ad}#\u{fe0f}[add-mask]x", "#\u{ad}#\u{fe0f}\\[add-mask]x"),
            (" \u{a0}::stop-commands::x", " \u{a0}:\\:stop-commands::x"),
            ("a\n\t::add-mask::x", "a\n\t:\\:add-mask::x"),
        ] {
            assert_eq!(visible(text), shown);
        }
        assert_eq!(on_one_line("::a\r\n##[b]"), ":\\:a\\u{d}\\n##\\[b]");
    }

    #[test]
    fn text_that_is_no_command_stays() {
        for text in ["## Heading [link]", "a::b", "http://[::1]:80/#a[0]", "# #[x]", "a: [b]"] {
            assert_eq!(visible(text), text);
        }
    }

    #[test]
    fn json_is_read_as_it_was() {
        let value = serde_json::json!({ "##[a]": ["##vso[b]\u{9b}\u{202e}é\n::c::"] });
        let text = visible_json(&value.to_string());
        assert!(!text.contains("##[") && !text.contains("##vso[") && !text.contains('\u{9b}'), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }
}
