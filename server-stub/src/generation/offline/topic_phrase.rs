//! The phrase of an ordered topic, cleaned of mark-up and shortened; what it means is read in `english_topic` and `foreign_topic`.

use std::sync::LazyLock;

use regex::Regex;

use crate::domain::voice::content_words;

use super::plain_text::visible;
use super::profile_rules::ProfileRules;
use super::topic_words::dangles;

/// Most words of a topic phrase.
const MAX_PHRASE_WORDS: usize = 10;
/// Most characters of a topic phrase.
const MAX_PHRASE_CHARS: usize = 64;

static TAG: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"</?[A-Za-z!][^<>]*>").expect("the pattern is valid"));
static URL: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?i)\bhttps?://\S+").expect("the pattern is valid"));
static SCHEME: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\b(?:https?://|mailto:)").expect("the pattern is valid"));
static SENTENCE_END: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[.!?…]+[\s\x22']+|[\r\n]+|[。！？]").expect("the pattern is valid"));
static CLAUSE_END: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[,;:] | [-–—]").expect("the pattern is valid"));
static SUBTITLE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(.{3,80}?)(?:: | [–—-] )(.+)$").expect("the pattern is valid"));

/// The first sentence that says something, without mark-up; and whether it asks.
pub(super) fn main_phrase(ordered: &str) -> (String, bool) {
    let strip = |pattern: &Regex, text: &str| {
        let stripped = pattern.replace_all(text, " ").into_owned();
        if content_words(&stripped).is_empty() { text.to_owned() } else { stripped }
    };
    let text = SCHEME
        .replace_all(&strip(&URL, &strip(&TAG, ordered)), " ")
        .replace(['<', '>', '{', '}', '`', '|', '\\', '[', ']', '(', ')'], " ");
    let mut start = 0;
    let mut candidates: Vec<(&str, bool)> = Vec::new();
    for end in SENTENCE_END.find_iter(&text) {
        candidates.push((&text[start..end.start()], end.as_str().starts_with(['?', '？'])));
        start = end.end();
    }
    candidates.push((&text[start..], text.trim_end().ends_with(['?', '？'])));
    let says = |least: usize| candidates.iter().find(move |(sentence, _)| content_words(sentence).len() >= least);
    let (sentence, asks) = says(2).or_else(|| says(1)).or_else(|| candidates.first()).copied().unwrap_or(("", false));
    let sentence = match SUBTITLE.captures(sentence) {
        Some(found) if !content_words(&found[1]).is_empty() => found[1].to_owned(),
        _ => sentence.to_owned(),
    };
    (shortened(&trimmed_words(&visible(&sentence))), asks)
}

/// Words without the punctuation around them; commas between words stay.
pub(super) fn trimmed_words(text: &str) -> String {
    let words: Vec<&str> = text
        .split(' ')
        .map(|word| {
            word.trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '$' | '€' | '£' | '#' | '@' | '&'))
        })
        .map(|word| {
            word.trim_end_matches(|c: char| {
                !c.is_alphanumeric() && !matches!(c, '+' | '#' | '%' | ',' | '&' | ':' | ';')
            })
        })
        .filter(|word| word.chars().any(char::is_alphanumeric) || *word == "&")
        .collect();
    words.join(" ").trim_end_matches([',', '&', ' ', ':', ';']).to_owned()
}

fn shortened(phrase: &str) -> String {
    let is_long = |text: &str| text.split(' ').count() > MAX_PHRASE_WORDS || text.chars().count() > MAX_PHRASE_CHARS;
    let mut phrase = phrase;
    if is_long(phrase) {
        let cut = CLAUSE_END.find_iter(phrase).find(|end| phrase[..end.start()].split(' ').count() >= 3);
        phrase = cut.map_or(phrase, |end| &phrase[..end.start()]);
    }
    let mut words: Vec<&str> = phrase.split(' ').take(MAX_PHRASE_WORDS).collect();
    while words.len() > 1 && words.join(" ").chars().count() > MAX_PHRASE_CHARS {
        words.pop();
    }
    while words.len() > 1 && words.last().is_some_and(|word| dangles(word)) && phrase.split(' ').count() > words.len() {
        words.pop();
    }
    let text = words.join(" ");
    let text: String = text.chars().take(MAX_PHRASE_CHARS).collect();
    text.trim_end_matches([',', ';', ':', '-', '–', '—', ' ']).to_owned()
}

/// The phrase without the terms that the profile avoids.
pub(super) fn without_banned(phrase: &str, rules: &ProfileRules<'_>) -> String {
    if !rules.banned.matches(phrase) {
        return phrase.to_owned();
    }
    let left = trimmed_words(
        &rules.banned.replace_all(phrase, |_| " ".to_owned()).split_whitespace().collect::<Vec<_>>().join(" "),
    );
    let mut words: Vec<&str> = left.split(' ').collect();
    while words.last().is_some_and(|word| dangles(word)) {
        words.pop();
    }
    while words.first().is_some_and(|word| dangles(word)) {
        words.remove(0);
    }
    words.join(" ")
}
