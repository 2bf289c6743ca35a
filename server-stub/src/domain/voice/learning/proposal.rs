//! Proposes a profile from texts. One file per family of rules contains what is learnt.

use std::collections::BTreeMap;

use super::super::profile::BrandVoice;
use super::corpus::{Corpus, Sample};
use super::{recurring, style, tone, vocabulary};

/// The order matters: the call to action must follow the rules before it, and the rules after it exclude its words.
const MEMBERS: [(&str, Learn); 14] = [
    ("max_sentence_words", style::max_sentence_words),
    ("reading_grade", style::reading_grade),
    ("contractions", style::contractions),
    ("emoji", style::emoji),
    ("max_exclamations", style::max_exclamations),
    ("spelling", style::spelling),
    ("vocabulary", vocabulary::vocabulary),
    ("cta", recurring::cta),
    ("point_of_view", tone::point_of_view),
    ("tone", tone::tone),
    ("tone_dimensions", tone::tone_dimensions),
    ("faq_count", recurring::faq_count),
    ("boilerplate", recurring::boilerplate),
    ("samples", recurring::samples),
];
/// Fields that only the owner of the voice can provide.
const NOT_IN_TEXTS: [(&str, &str); 3] = [
    ("audience", "Texts do not tell who reads them: say it."),
    ("dos", "Say what no measure shows, such as \"open with an example\"."),
    ("donts", "Say what no measure shows, such as \"no politics\"."),
];
/// Minimum number of words of all texts together. Fewer words show no habits.
pub const MIN_WORDS: usize = 300;

/// A profile that the texts follow, except for single long sentences and for values beyond the limits of a profile.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The profile.
    pub voice: BrandVoice,
    /// Reasons for each field, one sentence per entry; also for fields that could not be learnt.
    pub evidence: BTreeMap<&'static str, Vec<String>>,
}

/// Error: the texts are too short to show a voice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the texts have {found} words in all, at least {MIN_WORDS} are needed; add more texts")]
pub struct TooLittleText {
    /// Number of words of all texts together.
    pub found: usize,
}

/// Sets a field of the profile from the texts, and returns the reasons.
type Learn = fn(&Corpus<'_>, &mut BrandVoice) -> Vec<String>;

/// Proposes a profile with this name.
///
/// # Errors
/// Returns an error if the texts have fewer than [`MIN_WORDS`] words.
pub fn learn(name: &str, language: &str, samples: &[Sample<'_>]) -> Result<Proposal, TooLittleText> {
    let corpus = Corpus::new(language, samples);
    let found = corpus.word_count;
    if found < MIN_WORDS {
        return Err(TooLittleText { found });
    }
    let mut voice = BrandVoice { name: name.to_owned(), ..BrandVoice::default() };
    let mut evidence: BTreeMap<_, _> = NOT_IN_TEXTS.map(|(member, why)| (member, vec![why.to_owned()])).into();
    for (member, learn) in MEMBERS {
        evidence.insert(member, learn(&corpus, &mut voice));
    }
    Ok(Proposal { voice, evidence })
}
