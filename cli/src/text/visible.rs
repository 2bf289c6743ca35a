//! Characters that steer a terminal, shown instead of sent: whoever writes a title or a lead must not move the cursor.

/// A text on one line: line breaks and everything else that steers a terminal or turns the order of what is read are
/// shown as `\u{…}`.
pub(crate) fn on_one_line(text: &str) -> String {
    escaped(text, |letter| letter.is_control() || turns_the_order(letter))
}

/// A text of several lines: all but line breaks and tabs that steers a terminal is shown as `\u{…}`. Marks of direction
/// stay, since languages that are written from right to left need them.
pub(crate) fn visible(text: &str) -> String {
    escaped(&text.replace("\r\n", "\n"), |letter| letter.is_control() && !matches!(letter, '\n' | '\t'))
}

/// Whether a character breaks a line or overrides the order of its neighbours without being a control character.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(on_one_line("a\u{1b}[2J\nb\u{9b}c\u{202e}d é"), r"a\u{1b}[2J\u{a}b\u{9b}c\u{202e}d é");
        assert_eq!(visible("a\r\nb\tc\rd\u{7f}\u{200f}"), "a\nb\tc\\u{d}d\\u{7f}\u{200f}");
    }
}
