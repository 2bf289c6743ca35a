//! Spelling rules of each language: quotation marks, capitals, articles, and the characters that a sentence may contain.

use std::sync::LazyLock;

use regex::Regex;
use unicode_normalization::UnicodeNormalization as _;

use crate::domain::voice::{SupportedLanguage, emoji};

/// A non-breaking space.
const FIXED_SPACE: char = '\u{a0}';
/// All quotation marks of these languages.
pub(super) const QUOTATION_MARKS: [char; 6] = ['"', '\u{201c}', '\u{201d}', '\u{201e}', '\u{ab}', '\u{bb}'];

static A_BEFORE_VOWEL: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b([Aa]) ([aei]|o[^n]|un[aceifr])").expect("the pattern is valid"));
static AN_BEFORE_CONSONANT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b([Aa])n ([b-dfgj-np-tv-z])").expect("the pattern is valid"));

/// Returns the text in the quotation marks of the language.
pub(super) fn quoted(language: SupportedLanguage, text: &str) -> String {
    match language {
        SupportedLanguage::English => format!("\u{201c}{text}\u{201d}"),
        SupportedLanguage::German => format!("\u{201e}{text}\u{201c}"),
        SupportedLanguage::French => format!("\u{ab}{FIXED_SPACE}{text}{FIXED_SPACE}\u{bb}"),
        SupportedLanguage::Spanish => format!("\u{ab}{text}\u{bb}"),
    }
}

/// Corrects "a" and "an" in the text, judged by the next letters.
pub(super) fn with_matching_articles(text: &str) -> String {
    let text = A_BEFORE_VOWEL.replace_all(text, "${1}n ${2}");
    AN_BEFORE_CONSONANT.replace_all(&text, "${1} ${2}").into_owned()
}

/// Capitalises the first letter, even after a mark such as an opening question mark. Leaves a first word with another capital
/// unchanged, such as iPhone, and an address.
pub(super) fn capitalised(text: &str) -> String {
    if text
        .split(' ')
        .next()
        .is_some_and(|first| first.chars().any(|letter| letter.is_uppercase() || "/@.".contains(letter)))
    {
        return text.to_owned();
    }
    let (marks, rest) = text.split_at(text.find(char::is_alphanumeric).unwrap_or(0));
    let mut letters = rest.chars();
    let first = letters.next().map(char::to_uppercase);
    marks.chars().chain(first.into_iter().flatten()).chain(letters).collect()
}

/// Returns the text with a lower-case first letter, unless the first word is "I".
pub(super) fn uncapitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if !text.starts_with("I ") => first.to_lowercase().chain(letters).collect(),
        _ => text.to_owned(),
    }
}

/// Makes an untrusted text fit into a sentence. Returns NFC without invisible characters, pictographs, exclamation and quotation
/// marks, and with one space between words.
pub(super) fn visible(text: &str) -> String {
    let mut buffer = [0; 4];
    let kept: String = text
        .nfc()
        .filter(|&character| character.is_whitespace() || !character.is_control() && !is_invisible(character))
        .filter(|character| character.is_ascii() || emoji(character.encode_utf8(&mut buffer)).is_none())
        .filter(|character| !matches!(character, '!' | '\u{ff01}' | '"' | '\u{201c}' | '\u{201d}' | '\u{201e}'))
        .collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the text in NFC without control characters, and with one space between words. Pictographs keep the invisible characters
/// that join them.
pub(super) fn with_pictographs(text: &str) -> String {
    let is_joint = |character| matches!(character, '\u{200d}' | '\u{fe0f}' | '\u{1f1e6}'..='\u{1f1ff}' | '\u{1f3fb}'..='\u{1f3ff}');
    let kept: String = text
        .nfc()
        .filter(|&character| !character.is_control() || character.is_whitespace())
        .filter(|&character| !is_invisible(character) || is_joint(character))
        .collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns true if a reader sees something of the text.
pub(super) fn is_legible(text: &str) -> bool {
    text.chars().any(|character| {
        !character.is_whitespace() && !is_invisible(character) || matches!(character, '\u{1f1e6}'..='\u{1f1ff}')
    })
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
