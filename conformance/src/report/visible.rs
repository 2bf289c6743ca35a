//! Text of a hostile target made safe to look at: control characters and those that turn the writing direction show
//! as `\u{…}`.
//!
//! Escaping for HTML or Markdown comes on top and is done by whoever writes those.

use std::borrow::Cow;

/// `text` with everything visible; line feeds and tabs stay.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(hides) {
        return Cow::Borrowed(text);
    }
    let shown = text.chars().flat_map(|letter| {
        let escaped = hides(letter).then(|| letter.escape_unicode());
        let plain = escaped.is_none().then_some(letter);
        escaped.into_iter().flatten().chain(plain)
    });
    Cow::Owned(shown.collect())
}

/// The same on one line.
pub(crate) fn on_one_line(text: &str) -> String {
    visible(text).replace('\n', "\\n").replace('\t', "\\t")
}

fn hides(letter: char) -> bool {
    let turns = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let vanishes = matches!(letter, '\u{200b}'..='\u{200d}' | '\u{2028}' | '\u{2029}' | '\u{feff}');
    turns || vanishes || (letter.is_control() && !matches!(letter, '\n' | '\t'))
}

#[cfg(test)]
mod tests {
    use super::{on_one_line, visible};

    #[test]
    fn what_moves_a_cursor_or_turns_the_writing_is_spelled_out() {
        assert_eq!(visible("a\u{1b}[2Jb\u{202e}c\r\u{feff}"), "a\\u{1b}[2Jb\\u{202e}c\\u{d}\\u{feff}");
        assert_eq!(on_one_line("é\n\u{1f600}\tx"), "é\\n\u{1f600}\\tx");
    }
}
