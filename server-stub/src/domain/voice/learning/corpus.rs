//! Texts to learn from, split into lines and sentences.

use super::super::language::{is_english, sentences, words};
use super::super::manuscript::{CheckInput, Manuscript, without_urls};
use crate::domain::unicode_form::composed;

/// A text with the voice to learn.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// Name of the text in the evidence, such as its file name.
    pub name: &'a str,
    /// `CommonMark`.
    pub markdown: &'a str,
}

/// All texts together.
pub(super) struct Corpus<'a> {
    pub(super) language: &'a str,
    pub(super) samples: Vec<(Sample<'a>, Manuscript<'a>)>,
    /// All lines of all texts, without URLs and in NFC.
    pub(super) lines: Vec<String>,
    /// Sentences of the prose in NFC, each with the index of its text in `samples`.
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
            found.map(|sentence| (number, composed(sentence.trim()).into_owned())).collect::<Vec<_>>()
        };
        let sentences = samples.iter().enumerate().flat_map(of_text).collect();
        let lines =
            samples.iter().flat_map(|(_, text)| text.lines()).map(|line| composed(&without_urls(line)).into_owned());
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
