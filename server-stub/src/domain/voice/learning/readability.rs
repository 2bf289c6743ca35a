//! Sentence length and reading grade.

use super::super::language::words;
use super::super::profile::{BrandVoice, ReadingGrade};
use super::super::rules::measured_grade;
use super::corpus::Corpus;

/// One of this many sentences may exceed the proposed limit, because a single one is not a habit.
const ONE_OF: usize = 20;
/// The limit is a multiple of this.
const STEP: usize = 5;
/// Maximum number of long sentences in the evidence.
const MAX_NAMED: usize = 3;
/// Number of words of a sentence that the evidence shows.
const SHOWN_WORDS: usize = 6;
/// Margin of the grade window on both sides, if only one text has a grade.
const MARGIN: f64 = 1.0;

pub(super) fn max_sentence_words(corpus: &Corpus<'_>, voice: &mut BrandVoice) -> Vec<String> {
    let measured = corpus.sentences.iter().map(|(text, sentence)| (words(sentence).count(), *text, sentence));
    let mut sentences: Vec<_> = measured.filter(|(length, ..)| *length > 0).collect();
    sentences.sort_by_key(|(length, ..)| *length);
    let Some(last) = sentences.len().checked_sub(1) else {
        return vec!["Not learnt: the texts have no sentences.".to_owned()];
    };
    let usual = sentences[last - sentences.len() / ONE_OF].0;
    let limit = usual.next_multiple_of(STEP).clamp(10, 60);
    voice.max_sentence_words = u32::try_from(limit).expect("at most 60");
    let median = sentences[last / 2].0;
    let mut evidence = vec![format!(
        "{} sentences: half have at most {median} words, all but one in {ONE_OF} at most {usual}, the longest {}.",
        sentences.len(),
        sentences[last].0
    )];
    for (length, text, sentence) in sentences.iter().rev().filter(|(length, ..)| *length > limit).take(MAX_NAMED) {
        let beginning = sentence.split_whitespace().take(SHOWN_WORDS).collect::<Vec<_>>().join(" ");
        evidence.push(format!("Longer: {length} words in {}, \"{beginning}\u{2026}\"", corpus.name(*text)));
    }
    evidence
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is 1 to 18")]
pub(super) fn reading_grade(corpus: &Corpus<'_>, voice: &mut BrandVoice) -> Vec<String> {
    if !corpus.is_english() {
        return vec!["Not learnt: the grade is one of English.".to_owned()];
    }
    let graded = corpus.samples.iter().filter_map(|(sample, text)| Some((measured_grade(text)?, sample.name)));
    let mut grades: Vec<(f64, &str)> = graded.collect();
    grades.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (Some((lowest, of_lowest)), Some((highest, of_highest))) = (grades.first(), grades.last()) else {
        return vec!["Not learnt: no text has the 100 words that a grade needs.".to_owned()];
    };
    let margin = if grades.len() == 1 { MARGIN } else { 0.0 };
    let bounded = |grade: f64| grade.clamp(1.0, 18.0) as u8;
    voice.reading_grade =
        ReadingGrade { min: bounded((lowest - margin).floor()), max: bounded((highest + margin).ceil()) };
    if grades.len() == 1 {
        return vec![format!("Flesch-Kincaid grade {lowest:.1} in {of_lowest}.")];
    }
    vec![format!(
        "Flesch-Kincaid grade of {} texts: {lowest:.1} in {of_lowest} to {highest:.1} in {of_highest}.",
        grades.len()
    )]
}
