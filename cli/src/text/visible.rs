//! Escapes characters that control a terminal, so that the author of a title or a lead cannot move the cursor. A backslash
//! breaks text that a CI system would run as a command.

/// Returns a text on one line. Line breaks and all other characters that control a terminal or reverse the reading order become
/// `\u{…}`.
pub(crate) fn on_one_line(text: &str) -> String {
    disarmed(&escaped(text, |letter| letter.is_control() || turns_the_order(letter)))
}

/// Returns a text of several lines. Characters that control a terminal become `\u{…}`, except line breaks and tabs. Direction marks
/// stay, since right-to-left languages need them.
pub(crate) fn visible(text: &str) -> String {
    disarmed(&without_controls(text))
}

/// Escapes the characters that `visible` escapes, for a file. Leaves words that a CI system runs, because it reads them only from the
/// output of a program.
pub(super) fn without_controls(text: &str) -> String {
    escaped(&text.replace("\r\n", "\n"), |letter| letter.is_control() && !matches!(letter, '\n' | '\t'))
}

/// Returns true if a character breaks a line or overrides the order of its neighbours without being a control character.
pub(super) fn turns_the_order(letter: char) -> bool {
    matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn escaped(text: &str, hides: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if hides(letter) {
            shown.extend(letter.escape_unicode());
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// Puts a backslash into every command to a CI system. In Markdown the rendered text stays the same.
fn disarmed(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut line = Line::default();
    for letter in text.chars() {
        if line.makes_command(letter) {
            safe.push('\\');
        }
        safe.push(letter);
        line.push(letter);
    }
    safe
}

/// ASCII of the current line, from its first letter on: GitHub's runner ignores invisible characters when it compares texts.
#[derive(Default)]
pub(super) struct Line(String);

impl Line {
    /// Returns true if a CI system could take the line for a command because of this next letter: the bracket of `##[…]`
    /// (GitHub, Azure), `##vso[…]` (Azure) or `##teamcity[…]`, anywhere in a line, or the second colon of a line that begins with two
    /// (GitHub).
    pub(super) fn makes_command(&self, next: char) -> bool {
        match next {
            '[' => self.0.trim_end_matches(|letter: char| letter.is_ascii_alphanumeric()).ends_with("##"),
            ':' => self.0 == ":",
            _ => false,
        }
    }

    pub(super) fn push(&mut self, letter: char) {
        if letter == '\n' {
            self.0.clear();
        } else if letter.is_ascii() && !(self.0.is_empty() && letter.is_ascii_whitespace()) {
            self.0.push(letter);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(on_one_line("a\u{1b}[2J\nb\u{9b}c\u{202e}d é"), r"a\u{1b}[2J\u{a}b\u{9b}c\u{202e}d é");
        assert_eq!(visible("a\r\nb\tc\rd\u{7f}\u{200f}"), "a\nb\tc\\u{d}d\\u{7f}\u{200f}");
    }

    #[test]
    fn no_line_is_a_command_to_a_ci_system() {
        for (text, shown) in [
            ("a ##[set-output name=x]y", r"a ##\[set-output name=x]y"),
            ("##vso[task.setvariable variable=x]y", r"##vso\[task.setvariable variable=x]y"),
            ("x ##teamcity[buildStop]", r"x ##teamcity\[buildStop]"),
            ("#\u{ad}#\u{200b}[add-mask]x", "#\u{ad}#\u{200b}\\[add-mask]x"),
            ("\u{3000}::stop-commands::x", "\u{3000}:\\:stop-commands::x"),
            ("a\r\n ::add-mask::x", "a\n :\\:add-mask::x"),
        ] {
            assert_eq!(visible(text), shown);
        }
        assert_eq!(on_one_line("::a\n##[b]"), r":\:a\u{a}##\[b]");
        for text in ["## Heading [link]", "a::b", "# #[x]", "a: [b]"] {
            assert_eq!(visible(text), text);
        }
    }
}
