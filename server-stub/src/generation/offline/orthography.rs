//! Spelling rules of each language: quotation marks, capitals, articles.

use std::sync::LazyLock;

use regex::Regex;

use crate::domain::voice::SupportedLanguage;

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
