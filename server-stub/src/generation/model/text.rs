//! Characters that no reader sees and that may mislead: removed from what a model reads and from what it writes.

/// Whether a character may stand in a text: no control character but line feed and tab, nothing that turns the direction of writing,
/// nothing without width that hides in words, no private or unassigned signs that carry messages.
fn is_plain(character: char) -> bool {
    match character {
        '\n' | '\t' => true,
        _ if character.is_control() => false,
        // Zero-width joiners are needed: scripts of Asia and pictographs are written with them.
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' => false,
        '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => false,
        '\u{feff}' | '\u{fff9}'..='\u{fffb}' => false,
        '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{10ffff}' => false,
        _ => true,
    }
}

/// The text without such characters. Line ends become line feeds.
pub(super) fn plain_characters(text: &str) -> String {
    let lines = text.replace("\r\n", "\n").replace(['\r', '\u{2028}', '\u{2029}'], "\n");
    lines.chars().filter(|character| is_plain(*character)).collect()
}

/// On one line, with one space between words.
pub(super) fn one_line(text: &str) -> String {
    plain_characters(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// At most so many characters.
pub(super) fn cut(text: &str, limit: usize) -> &str {
    text.char_indices().nth(limit).map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_or_turns_a_text_is_gone_and_writing_systems_stay() {
        assert_eq!(plain_characters("a\u{202e}b\u{0}c\u{7f}\u{200b}d\u{e0041}\u{e000}\r\ne\u{2028}f"), "abcd\ne\nf");
        let kept = "می\u{200c}خواهم 👩\u{200d}🌾 naïve 日本語\tç";
        assert_eq!(plain_characters(kept), kept);
        assert_eq!(one_line(" a\n\n b\tc "), "a b c");
        assert_eq!(cut("ééé", 2), "éé");
    }
}
