//! Proposes a profile from texts. One file per family of rules contains what is learnt.

use std::collections::BTreeMap;

use super::super::language::{is_english, sentences, words};
use super::super::manuscript::{CheckInput, Manuscript, without_urls};
use super::super::profile::BrandVoice;
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

/// A text with the voice to learn.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// Name of the text in the evidence, such as its file name.
    pub name: &'a str,
    /// `CommonMark`.
    pub markdown: &'a str,
}

/// All texts, split into lines and sentences.
pub(super) struct Corpus<'a> {
    pub(super) language: &'a str,
    pub(super) samples: Vec<(Sample<'a>, Manuscript<'a>)>,
    /// All lines of all texts, without URLs.
    pub(super) lines: Vec<String>,
    /// Sentences of the prose, each with the index of its text in `samples`.
    pub(super) sentences: Vec<(usize, String)>,
    pub(super) word_count: usize,
}

impl<'a> Corpus<'a> {
    pub(super) fn new(language: &'a str, samples: &[Sample<'a>]) -> Self {
        let read = |sample: &Sample<'a>| (*sample, Manuscript::new(CheckInput::of_wording(language, sample.markdown)));
        let samples: Vec<_> = samples.iter().map(read).collect();
        let of_text = |(number, (_, text)): (usize, &(Sample<'a>, Manuscript<'a>))| {
            let blocks: Vec<_> = text.prose().map(without_urls).collect();
            let found = blocks.iter().flat_map(|block| sentences(block));
            found.map(|sentence| (number, sentence.trim().to_owned())).collect::<Vec<_>>()
        };
        let sentences = samples.iter().enumerate().flat_map(of_text).collect();
        let lines = samples.iter().flat_map(|(_, text)| text.lines()).map(|line| without_urls(line).into_owned());
        let lines: Vec<String> = lines.collect();
        let word_count = lines.iter().map(|line| words(line).count()).sum();
        Self { language, samples, lines, sentences, word_count }
    }

    pub(super) fn is_english(&self) -> bool {
        is_english(self.language)
    }

    pub(super) fn manuscripts(&self) -> impl Iterator<Item = &Manuscript<'a>> {
        self.samples.iter().map(|(_, manuscript)| manuscript)
    }

    /// Returns the name of a text.
    pub(super) fn name(&self, number: usize) -> &'a str {
        self.samples[number].0.name
    }

    /// Returns a count per thousand words.
    #[expect(clippy::cast_precision_loss, reason = "counts of words are far below 2^52")]
    pub(super) fn per_thousand_words(&self, count: usize) -> f64 {
        count as f64 * 1000.0 / self.word_count.max(1) as f64
    }
}
