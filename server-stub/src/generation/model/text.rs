//! Removes invisible and misleading characters from the text that a model reads and writes.

use unicode_normalization::UnicodeNormalization as _;

/// Returns true if a character is allowed: no control characters except line feed and tab, no direction controls, no zero-width
/// characters that hide in words, no private or unassigned characters, which can carry messages.
fn is_plain(character: char) -> bool {
    match character {
        '\n' | '\t' => true,
        _ if character.is_control() => false,
        // Zero-width joiners are allowed: Asian scripts and pictographs need them.
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' => false,
        '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => false,
        '\u{feff}' | '\u{fff9}'..='\u{fffb}' => false,
        '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{10ffff}' => false,
        _ => true,
    }
}

/// Removes these characters, and returns NFC. Line ends become line feeds.
pub(super) fn plain_characters(text: &str) -> String {
    let lines = text.replace("\r\n", "\n").replace(['\r', '\u{2028}', '\u{2029}'], "\n");
    lines.nfc().filter(|character| is_plain(*character)).collect()
}

/// Returns the text on one line, with one space between words.
pub(super) fn one_line(text: &str) -> String {
    plain_characters(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns at most `limit` characters.
pub(super) fn cut(text: &str, limit: usize) -> &str {
    text.char_indices().nth(limit).map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_and_direction_characters_are_removed_and_scripts_are_kept() {
        assert_eq!(plain_characters("a\u{202e}b\u{0}c\u{7f}\u{200b}d\u{e0041}\u{e000}\r\ne\u{2028}f"), "abcd\ne\nf");
        let kept = "می\u{200c}خواهم 👩\u{200d}🌾 naïve 日本語\tç";
        assert_eq!(plain_characters(kept), kept);
        assert_eq!(one_line(" a\n\n b\tc "), "a b c");
        assert_eq!(plain_characters("nai\u{308}ve"), "naïve");
        assert_eq!(cut("ééé", 2), "éé");
    }
}
