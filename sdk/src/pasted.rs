//! Texts of the configuration as people paste them: with spaces, a line break or quotes around them.

/// Returns a text without white space and quotes around it.
pub(crate) fn pasted(text: &str) -> &str {
    text.trim_matches(|letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'' | '`' | '\u{feff}'))
}
