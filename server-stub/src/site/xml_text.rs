//! Prepares external texts for XML.

/// Removes the characters that XML 1.0 forbids even as references (production 2). The template escapes the rest.
pub(super) fn xml_text(text: &str) -> String {
    let is_allowed = |character: char| matches!(character, '\t' | '\n' | '\r' | '\u{20}'..='\u{fffd}' | '\u{10000}'..);
    text.chars().filter(|character| is_allowed(*character)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_xml_forbids_are_removed() {
        assert_eq!(xml_text("a\u{0}\u{b}b\tc\n\u{fffe}d\u{ffff}\u{1f600}<&"), "ab\tc\nd\u{1f600}<&");
    }
}
