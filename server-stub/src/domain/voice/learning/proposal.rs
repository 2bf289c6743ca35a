//! From texts to a profile. What each rule is learnt from is in the file of its family.

use std::collections::BTreeMap;

use super::super::profile::BrandVoice;
use super::corpus::{Corpus, MIN_WORDS, Sample};
use super::{readability, recurring, style, tone, viewpoint, vocabulary};

/// A profile that the texts keep, but for single long sentences and for what lies beyond the limits of a profile.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The profile.
    pub voice: BrandVoice,
    /// Why each member is as it is, one sentence an entry; also for members that could not be learnt.
    pub evidence: BTreeMap<&'static str, Vec<String>>,
}

/// The texts are too short to show a voice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the texts have {found} words in all, at least {MIN_WORDS} are needed; add more texts")]
pub struct TooLittleText {
    /// Words of all texts together.
    pub found: usize,
}

/// Sets a member of the profile by what the texts have in common, and says why.
type Learn = fn(&Corpus<'_>, &mut BrandVoice) -> Vec<String>;

/// In this order: the call to action must keep the rules before it, and those after it leave its words out.
const MEMBERS: [(&str, Learn); 14] = [
    ("max_sentence_words", readability::max_sentence_words),
    ("reading_grade", readability::reading_grade),
    ("contractions", style::contractions),
    ("emoji", style::emoji),
    ("max_exclamations", style::max_exclamations),
    ("spelling", style::spelling),
    ("vocabulary", vocabulary::vocabulary),
    ("cta", recurring::cta),
    ("point_of_view", viewpoint::point_of_view),
    ("tone", tone::tone),
    ("tone_dimensions", tone::tone_dimensions),
    ("faq_count", recurring::faq_count),
    ("boilerplate", recurring::boilerplate),
    ("samples", recurring::samples),
];

/// What only the owner of the voice knows.
const NOT_IN_TEXTS: [(&str, &str); 3] = [
    ("audience", "Texts do not tell who reads them: say it."),
    ("dos", "Say what no measure shows, such as \"open with an example\"."),
    ("donts", "Say what no measure shows, such as \"no politics\"."),
];

/// Proposes a profile of that name.
///
/// # Errors
/// When the texts have fewer than [`MIN_WORDS`] words.
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
