//! Reading grade and longest sentence, for English prose only.

use super::super::language::{self, is_english, sentences, syllables, words};
use super::super::manuscript::{Manuscript, without_urls};
use super::super::profile::BrandVoice;
use super::super::report::VoiceCheck;

/// Minimum number of words for a meaningful grade.
const MIN_WORDS: usize = 100;
/// Maximum distance of the grade from its range.
const GRADE_TOLERANCE: f64 = 0.5;

pub(super) fn reading_grade(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> VoiceCheck {
    let window = voice.reading_grade;
    let expected = format!("{} to {}", window.min, window.max);
    let unmeasured = || VoiceCheck { expected: Some(expected.clone()), ..VoiceCheck::not_measured("reading_grade") };
    if !is_english(manuscript.input.language) {
        return unmeasured();
    }
    measured_grade(manuscript).map_or_else(unmeasured, |grade| {
        let passed =
            grade >= f64::from(window.min) - GRADE_TOLERANCE && grade <= f64::from(window.max) + GRADE_TOLERANCE;
        VoiceCheck::measured("reading_grade", passed, expected.clone(), format!("{grade:.1}"))
    })
}

/// Returns the Flesch-Kincaid grade of English prose; `None` if the text is too short.
pub(in super::super) fn measured_grade(manuscript: &Manuscript<'_>) -> Option<f64> {
    let (mut word_total, mut sentence_total, mut syllable_total) = (0, 0, 0);
    for block in manuscript.prose() {
        let block = without_urls(block);
        sentence_total += sentences(&block).len();
        for word in words(&block) {
            word_total += 1;
            syllable_total += syllables(word);
        }
    }
    language::reading_grade(word_total, sentence_total, syllable_total).filter(|_| word_total >= MIN_WORDS)
}

pub(super) fn sentence_length(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> VoiceCheck {
    if !is_english(manuscript.input.language) {
        return VoiceCheck::not_measured("sentence_length");
    }
    let longest = manuscript
        .prose()
        .filter_map(|block| sentences(block).into_iter().map(|sentence| words(sentence).count()).max())
        .max()
        .unwrap_or(0);
    let passed = longest <= voice.max_sentence_words as usize;
    VoiceCheck::measured(
        "sentence_length",
        passed,
        format!("at most {} words", voice.max_sentence_words),
        format!("{longest} words"),
    )
}
