//! Converts untrusted text to plain text that fits into a sentence.

use crate::domain::voice::emoji;

/// Removes invisible characters, pictographs, exclamation and quotation marks. Leaves one space between words.
pub(super) fn visible(text: &str) -> String {
    let mut buffer = [0; 4];
    let kept: String = text
        .chars()
        .filter(|&character| character.is_whitespace() || !character.is_control() && !is_invisible(character))
        .filter(|character| character.is_ascii() || emoji(character.encode_utf8(&mut buffer)).is_none())
        .filter(|character| !matches!(character, '!' | '\u{ff01}' | '"' | '\u{201c}' | '\u{201d}' | '\u{201e}'))
        .collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns true for bidirectional controls, zero-width spaces, soft hyphens, variation selectors, private-use and unassigned
/// characters.
fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fe00}'..='\u{fe0f}' | '\u{fff0}'..='\u{ffff}' | '\u{1f1e6}'..='\u{1f1ff}' | '\u{1f3fb}'..='\u{1f3ff}'
        | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{10ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::voice::normalized;

    #[test]
    fn what_cannot_be_seen_or_read_aloud_is_left_out() {
        assert_eq!(visible("\u{202e}a\u{200b}b\u{7}  \u{1f680} \u{201c}c\u{201d}!"), "ab c");
    }

    #[test]
    fn a_keyword_keeps_every_letter_that_is_looked_for() {
        for letter in ('\0'..=char::MAX).filter(|letter| letter.is_alphanumeric()) {
            assert_eq!(normalized(&visible(&letter.to_string())), normalized(&letter.to_string()), "{letter:?}");
        }
    }
}
