//! An ordered topic made fit to stand in sentences, in the profile's words. Its grammar is read in `english_topic` and `foreign_topic`.

use crate::domain::voice::{SupportedLanguage, content_words, normalized};
use crate::generation::generator::{FailureCode, GenerationError};

use super::orthography::quoted;
use super::plain_text::visible;
use super::profile_rules::ProfileRules;
use super::prose_file::Purpose;
use super::topic_phrase::main_phrase;
use super::{english_topic, foreign_topic};

/// Most words of the topic and the keywords that are taken up one by one.
const MAX_WORDS: usize = 8;
/// The shortest word that is taken up.
const MIN_WORD_CHARS: usize = 4;

/// A topic, ready to be written about.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Topic {
    /// A phrase that can follow "about".
    pub(super) noun: String,
    /// The topic as it stands in a title.
    pub(super) bare: Option<String>,
    /// "how to …" where the topic is something to do.
    pub(super) how_to: Option<String>,
    /// A shorter phrase that can follow "about".
    pub(super) short: String,
    /// The shortest way to name it, where the language has one that fits everywhere.
    pub(super) this: Option<String>,
    /// The question that was asked, addressed to the reader.
    pub(super) question: Option<String>,
    /// The two things that the topic compares.
    pub(super) options: Option<(String, String)>,
    /// What an action is done to, or the head of the phrase.
    pub(super) object: Option<String>,
    /// Under what circumstances, or for whom.
    pub(super) setting: Option<String>,
    /// The list as it was ordered, and how many entries it shall have.
    pub(super) list_title: Option<String>,
    pub(super) list_length: Option<usize>,
    /// Its words and those of the keywords, in quotation marks.
    pub(super) words: Vec<String>,
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
    pub(super) fn read(ordered: &str, keywords: &[String], rules: &ProfileRules<'_>) -> Result<Self, GenerationError> {
        let words = content_words(ordered);
        let (phrase, is_question) = main_phrase(ordered);
        let mut topic = match rules.language {
            SupportedLanguage::English => english_topic::read(&phrase, is_question, rules),
            SupportedLanguage::German | SupportedLanguage::French | SupportedLanguage::Spanish => {
                foreign_topic::read(&phrase, is_question, rules)
            }
        };
        let is_named = words.iter().any(|word| normalized(&topic.noun).contains(word));
        if !words.is_empty() && !is_named {
            topic.word_to_quote = Some(find_topic_word(ordered, rules).ok_or_else(|| unsayable(ordered, rules))?);
        }
        topic.words = telling_words(&phrase, keywords, rules);
        Ok(topic)
    }
}

/// The words of the topic and the keywords that can be taken up one by one.
fn telling_words(phrase: &str, keywords: &[String], rules: &ProfileRules<'_>) -> Vec<String> {
    let all = std::iter::once(phrase.to_owned()).chain(keywords.iter().map(|keyword| visible(keyword)));
    let mut found: Vec<String> = Vec::new();
    for word in all.flat_map(|text| text.split(' ').map(str::to_owned).collect::<Vec<_>>()) {
        let is_plain = word.chars().count() >= MIN_WORD_CHARS && word.chars().all(char::is_alphabetic);
        let says = is_plain && !content_words(&word).is_empty() && !foreign_topic::is_small(&word);
        let word = quoted(rules.language, &word);
        if says && found.len() < MAX_WORDS && !found.contains(&word) && rules.allows(&word) {
            found.push(word);
        }
    }
    found
}

/// A word of the topic, whole, that the profile allows.
fn find_topic_word(ordered: &str, rules: &ProfileRules<'_>) -> Option<String> {
    let words = content_words(ordered);
    let replaced = rules.replaced(ordered);
    let tokens = [ordered, replaced.as_str()].map(visible);
    let mut found: Vec<String> = tokens
        .iter()
        .flat_map(|text| text.split(' '))
        .filter(|token| words.iter().any(|word| normalized(token).contains(word)))
        .flat_map(|token| [token.to_owned(), normalized(token)])
        .filter(|token| rules.allows(&quoted(rules.language, token)) && !rules.banned.matches(token))
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
