//! Prepares a requested topic for use in the text. Cleans and quotes it but never inflects it, because its grammar is unknown.

use std::sync::LazyLock;

use regex::Regex;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::domain::unicode_form::composed;
use crate::domain::voice::{SupportedLanguage, content_words, normalized, sentences};
use crate::generation::generator::{FailureCode, GenerationError};

use super::compose::word_count;
use super::orthography::{QUOTATION_MARKS, capitalised, is_legible, quoted, visible, with_pictographs};
use super::profile_rules::ProfileRules;
use super::prose::prose;

/// Maximum length of a topic that is a title without quotation marks, in characters.
const MAX_PLAIN_CHARS: usize = 70;
/// Maximum length of a topic in quotation marks, in characters. With the marks, it fits before search results are cut.
const MAX_QUOTED_CHARS: usize = 56;
/// Minimum number of letters of some word of a phrase. Digits, marks and abbreviations such as "C++" make no phrase.
const MIN_LETTERS: usize = 3;
/// Maximum number of words of a topic that is repeated in the body.
const MAX_REPEATED_WORDS: usize = 14;

/// A letter. Marks beside letters are alphabetic in some scripts, too.
static LETTER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\p{L}").expect("the pattern is valid"));
/// Tags, and the content of scripts and styles.
static TAG: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?is)<(?:script\b.*?</script|style\b.*?</style)\s*>|</?[A-Za-z!][^<>]*>";
    Regex::new(pattern).expect("the pattern is valid")
});
/// An address and its host.
static URL: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\bhttps?://([^\s/]+)\S*").expect("the pattern is valid"));
static SCHEME: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\b(?:https?://|mailto:)").expect("the pattern is valid"));

/// A topic in the forms that the text needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Topic {
    /// Title: a plain phrase unchanged, any other phrase in quotation marks.
    pub(super) title: String,
    /// True if `title` is the whole title, because the topic is no phrase.
    pub(super) is_whole_title: bool,
    /// The topic in quotation marks.
    pub(super) quoted: String,
    /// Form in the opening; empty only if the title names the topic and the topic is too long to repeat.
    pub(super) in_opening: String,
    /// Form in the rest of the body; empty if the topic is too long to repeat.
    pub(super) in_body: String,
    /// Words of the topic without quotation marks.
    pub(super) phrase: String,
}

impl Topic {
    /// Parses a requested topic.
    ///
    /// # Errors
    /// Fails with `voice_unsatisfiable` if the profile forbids every word of the topic.
    pub(super) fn read(ordered: &str, rules: &ProfileRules<'_>) -> Result<Self, GenerationError> {
        let language = rules.language;
        let ordered = &*composed(ordered);
        let said = rules.replaced(&cleaned(ordered));
        let phrase = trimmed(&rules.banned.replace_all(&said, |_| " ".to_owned()));
        let may_say = |text: &String| text.chars().any(char::is_alphanumeric) && rules.allows(text);
        let short = shortened(&phrase, rules.voice.max_sentence_words as usize / 2);
        let unbroken = short.replace(['\'', '\u{2019}'], "");
        let in_marks = [&short, &unbroken].map(|text| quoted(language, &capitalised(text)));
        let in_marks = in_marks.into_iter().find(&may_say).unwrap_or_else(|| unnamed(language));
        let plain = || Some(capitalised(&phrase)).filter(|text| is_plain(text) && may_say(text));
        let itself = || {
            let mut forms = [short, unbroken, visible(ordered), with_pictographs(ordered)].into_iter();
            forms.find(|text| is_legible(text) && text.chars().count() <= MAX_PLAIN_CHARS && rules.allows(text))
        };
        let whole = if is_phrase(&phrase) { None } else { itself() };
        let is_whole_title = whole.is_some();
        let title = whole.or_else(plain).unwrap_or_else(|| in_marks.clone());
        let words = content_words(ordered);
        let is_named = words.is_empty() || words.iter().any(|word| normalized(&title).contains(word));
        let in_body = if word_count(&in_marks) <= MAX_REPEATED_WORDS { in_marks.clone() } else { String::new() };
        let in_opening = if is_named {
            in_body.clone()
        } else {
            quoted(language, &find_topic_word(ordered, rules).ok_or_else(|| unsayable(ordered, rules))?)
        };
        Ok(Self { title, is_whole_title, quoted: in_marks, in_opening, in_body, phrase })
    }
}

/// Returns the name for a topic that cannot be named.
fn unnamed(language: SupportedLanguage) -> String {
    prose(language).lines("unnamed").first().map_or_else(String::new, |name| quoted(language, name.source))
}

/// Returns the first line, or its first sentence, that has content words. Removes mark-up.
fn cleaned(ordered: &str) -> String {
    // Replaces the matches if the text says something without them.
    let replaced = |pattern: &Regex, text: &str, by: &str| {
        let is_needed = content_words(&pattern.replace_all(text, " ")).is_empty();
        if is_needed { text.to_owned() } else { pattern.replace_all(text, by).into_owned() }
    };
    let text = SCHEME
        .replace_all(&replaced(&URL, &replaced(&TAG, ordered, " "), "$1"), " ")
        .replace(['<', '>', '{', '}', '`', '|', '\\', '[', ']', '(', ')'], " ");
    let says = |text: &&str| !content_words(text).is_empty();
    let line = text.lines().find(says).unwrap_or(&text).trim();
    let first = sentences(line).into_iter().next().filter(|first| !ends_in_abbreviation(first));
    let sentence = first.filter(|first| content_words(first).len() >= 2).unwrap_or(line);
    trimmed(&visible(sentence).replace(QUOTATION_MARKS, ""))
}

/// Returns true if the text ends with a full stop after a short word, such as "vs.", "St." or "Dr.".
fn ends_in_abbreviation(text: &str) -> bool {
    let last = text.trim_end().rsplit(' ').next().unwrap_or_default();
    last.strip_suffix('.').is_some_and(|word| word.chars().count() <= 3)
}

/// Removes marks at the ends of the text, except currency signs, `@`, `+`, `#`, `%` and question marks.
fn trimmed(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text =
        text.trim_start_matches(|letter: char| !letter.is_alphanumeric() && !"$\u{20ac}\u{a3}@\u{bf}".contains(letter));
    let text = text.trim_end_matches(|letter: char| !letter.is_alphanumeric() && !"?\u{ff1f}+#%".contains(letter));
    text.to_owned()
}

/// Shortens a long phrase and adds an ellipsis.
fn shortened(phrase: &str, max_words: usize) -> String {
    let is_long = |words: &[&str]| words.len() > max_words || words.join(" ").chars().count() > MAX_QUOTED_CHARS;
    let all: Vec<&str> = phrase.split(' ').collect();
    if !is_long(&all) {
        return phrase.to_owned();
    }
    let mut words = all;
    while words.len() > 1 && (is_long(&words) || content_words(words[words.len() - 1]).is_empty()) {
        words.pop();
    }
    // Leaves room for the ellipsis.
    let text: String = words.join(" ").chars().take(MAX_QUOTED_CHARS - 2).collect();
    format!("{} \u{2026}", text.trim_end())
}

/// Returns true if the text has a word with several letters that is no function word.
fn is_phrase(text: &str) -> bool {
    let letters = |word: &str| word.graphemes(true).filter(|grapheme| LETTER.is_match(grapheme)).count();
    content_words(text).iter().any(|word| letters(word) >= MIN_LETTERS)
}

/// Returns true if the phrase reads as a title without quotation marks: plain words that begin with a letter.
fn is_plain(phrase: &str) -> bool {
    let is_usual = |letter: char| letter.is_alphanumeric() || " -'\u{2019}&,".contains(letter);
    phrase.starts_with(char::is_alphabetic)
        && (3..=MAX_PLAIN_CHARS).contains(&phrase.chars().count())
        && phrase.chars().all(is_usual)
        && !content_words(phrase).is_empty()
}

/// Returns a whole word of the topic that the profile allows.
fn find_topic_word(ordered: &str, rules: &ProfileRules<'_>) -> Option<String> {
    let words = content_words(ordered);
    let mut found: Vec<String> = visible(ordered)
        .split(' ')
        .filter(|token| words.iter().any(|word| normalized(token).contains(word)))
        .flat_map(|token| [token.to_owned(), normalized(token)])
        .filter(|token| rules.allows(&quoted(rules.language, token)))
        .collect();
    found.sort_by_key(String::len);
    found.into_iter().next()
}

fn unsayable(ordered: &str, rules: &ProfileRules<'_>) -> GenerationError {
    let reason = match rules.banned.find(ordered) {
        Some(term) => format!("the topic consists of terms that the profile forbids, such as \"{term}\""),
        None => "the profile forbids every word of the topic".to_owned(),
    };
    GenerationError::new(FailureCode::VoiceUnsatisfiable, reason)
}
