//! An ordered topic made fit to stand in sentences: cleaned, shortened, in the profile's words. Its grammar is in `topic_forms`.

use std::sync::LazyLock;

use regex::Regex;

use crate::domain::voice::{Contractions, content_words, normalized};
use crate::generation::generator::{FailureCode, GenerationError};

use super::grammar::Purpose;
use super::plain_text::{visible, written_out};
use super::sentence_renderer::SentenceRenderer;
use super::topic_forms::{self, Form};
use super::topic_words::{dangles, relaxed};
use super::wording::{Reader, capitalised};

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

/// A topic, ready to be written about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Topic {
    /// A phrase that can follow "about".
    pub(super) noun: String,
    /// "how to …" where the topic is something to do.
    pub(super) how_to: Option<String>,
    /// A shorter phrase that can follow "about".
    pub(super) short: String,
    /// The question that was asked, addressed to the reader.
    pub(super) question: Option<String>,
    /// The two things that the topic compares.
    pub(super) options: Option<(String, String)>,
    /// What the reader wants; `None` where it could be anything.
    pub(super) purpose: Option<Purpose>,
    /// A word of the topic that the opening must name, because `noun` has none.
    pub(super) word_to_quote: Option<String>,
}

impl Topic {
    /// Reads an ordered topic.
    ///
    /// # Errors
    /// `voice_unsatisfiable` when the profile forbids every word of it.
    pub(super) fn read(ordered: &str, renderer: &SentenceRenderer<'_>) -> Result<Self, GenerationError> {
        let words = content_words(ordered);
        let (phrase, is_question) = main_phrase(ordered);
        let phrase = without_banned(&fitted(&phrase, renderer), renderer);
        let mut form = if phrase.is_empty() { Form::unnamed() } else { topic_forms::read(&phrase, is_question) };
        form.noun = acceptable(&form.noun, renderer).unwrap_or_else(|| Form::unnamed().noun);
        form.how_to = form
            .how_to
            .map(|text| settled(&text))
            .filter(|text| renderer.allows(text) && !renderer.banned().matches(text));
        form.options = form.options.filter(|(first, second)| renderer.allows(first) && renderer.allows(second));
        let named = |text: &str| words.iter().any(|word| normalized(text).contains(word));
        let mut word_to_quote = None;
        if !words.is_empty() && !named(&form.noun) {
            word_to_quote = Some(find_topic_word(ordered, renderer).ok_or_else(|| unsayable(ordered, renderer))?);
        }
        let short = if form.question.is_some() { "this question".to_owned() } else { short_noun(&form.noun) };
        let short = if renderer.allows(&short) { short } else { "this".to_owned() };
        let question = form
            .question
            .map(|text| to_reader(&text))
            .filter(|text| renderer.allows(text) && !renderer.banned().matches(text));
        Ok(Self {
            noun: form.noun,
            short,
            question,
            how_to: form.how_to,
            options: form.options,
            purpose: form.purpose,
            word_to_quote,
        })
    }
}

/// The first sentence that says something, without mark-up; and whether it asks.
fn main_phrase(ordered: &str) -> (String, bool) {
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
fn trimmed_words(text: &str) -> String {
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

/// The phrase in the profile's words and person, without headline capitals.
fn fitted(phrase: &str, renderer: &SentenceRenderer<'_>) -> String {
    let (subject, possessive) = match renderer.reader() {
        Reader::You => ("you", "your"),
        Reader::Others(noun) => (noun, "the"),
    };
    let shouts =
        phrase.chars().filter(|letter| letter.is_alphabetic()).count() > 8 && !phrase.chars().any(char::is_lowercase);
    let phrase = if shouts { phrase.to_lowercase() } else { phrase.to_owned() };
    let phrase = if renderer.voice().contractions == Contractions::Avoid { written_out(&phrase) } else { phrase };
    let asks_how = phrase.to_lowercase().starts_with("how ") || phrase.contains(" I ") || phrase.contains(" we ");
    let words: Vec<String> = phrase
        .split(' ')
        .enumerate()
        .map(|(at, word)| match word {
            "my" | "My" | "our" | "Our" | "your" | "Your" => possessive.to_owned(),
            "me" | "us" => subject.to_owned(),
            "myself" | "ourselves" if subject == "you" => "yourself".to_owned(),
            "I" | "i" | "we" | "We" if !asks_how => subject.to_owned(),
            _ => relaxed(word, at == 0),
        })
        .collect();
    renderer.replaced(&words.join(" "))
}

fn without_banned(phrase: &str, renderer: &SentenceRenderer<'_>) -> String {
    if !renderer.banned().matches(phrase) {
        return phrase.to_owned();
    }
    let left = trimmed_words(
        &renderer.banned().replace_all(phrase, |_| " ".to_owned()).split_whitespace().collect::<Vec<_>>().join(" "),
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

/// The noun phrase if the profile allows it, else less of it, else in quotation marks.
fn acceptable(noun: &str, renderer: &SentenceRenderer<'_>) -> Option<String> {
    let noun = settled(noun);
    let bare = without_banned(&noun, renderer);
    let unbroken = bare.replace(['\'', '\u{2019}'], "");
    let quoted = format!("\u{201c}{}\u{201d}", bare.replace(['\u{201c}', '\u{201d}'], ""));
    let quoted_unbroken = quoted.replace(['\'', '\u{2019}'], "");
    [noun.clone(), bare, unbroken, quoted, quoted_unbroken].into_iter().find(|text| {
        text.chars().any(char::is_alphanumeric) && renderer.allows(text) && !renderer.banned().matches(text)
    })
}

/// The head of a long noun phrase: what stands before its last additions.
fn short_noun(noun: &str) -> String {
    let words: Vec<&str> = noun.split(' ').collect();
    let heads = if words[0].ends_with("ing") && words.len() > 1 { 2 } else { 1 };
    let adds = |word: &str| {
        " for in with on at when before after without by from during under between ".contains(&format!(" {word} "))
    };
    let cut = (1..words.len()).find(|&at| adds(words[at]) && content_words(&words[..at].join(" ")).len() >= heads);
    match cut {
        Some(at) if !noun.starts_with(['\u{201c}']) => words[..at].join(" "),
        _ => noun.to_owned(),
    }
}

/// A question that someone asked for themselves, put to the reader.
fn to_reader(question: &str) -> String {
    let words: Vec<&str> = question
        .split(' ')
        .map(|word| match word {
            "I" | "i" | "we" | "me" | "us" => "you",
            _ => word,
        })
        .collect();
    capitalised(&words.join(" "))
}

/// Small words that a reading has put in the middle lose their capital.
fn settled(text: &str) -> String {
    let words: Vec<String> = text.split(' ').enumerate().map(|(at, word)| relaxed(word, at == 0)).collect();
    words.join(" ")
}

/// A word of the topic, whole, that the profile allows.
fn find_topic_word(ordered: &str, renderer: &SentenceRenderer<'_>) -> Option<String> {
    let words = content_words(ordered);
    let replaced = renderer.replaced(ordered);
    let tokens = [ordered, replaced.as_str()].map(visible);
    let mut found: Vec<String> = tokens
        .iter()
        .flat_map(|text| text.split(' '))
        .filter(|token| words.iter().any(|word| normalized(token).contains(word)))
        .flat_map(|token| [token.to_owned(), normalized(token)])
        .filter(|token| renderer.allows(&format!("\u{201c}{token}\u{201d}")) && !renderer.banned().matches(token))
        .collect();
    found.sort_by_key(String::len);
    found.into_iter().next()
}

fn unsayable(ordered: &str, renderer: &SentenceRenderer<'_>) -> GenerationError {
    let reason = match renderer.banned().find(ordered) {
        Some(term) => format!("the topic consists of terms that the profile forbids, such as \"{term}\""),
        None => "the profile forbids every word of the topic".to_owned(),
    };
    GenerationError::new(FailureCode::VoiceUnsatisfiable, reason)
}
