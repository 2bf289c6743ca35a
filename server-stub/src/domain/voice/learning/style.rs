//! Sentence length, reading grade, contractions, pictographs, exclamation marks and spelling.

use super::super::language::words;
use super::super::manuscript::Manuscript;
use super::super::profile::{BrandVoice, Contractions, EmojiUse, ReadingGrade, Spelling};
use super::super::rules::{CONTRACTION, PICTOGRAPH, count_exclamations, measured_grade};
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
/// Words whose British and American spellings differ.
const SPELLINGS: [(&str, &str); 16] = [
    ("colour", "color"),
    ("colours", "colors"),
    ("favourite", "favorite"),
    ("flavour", "flavor"),
    ("behaviour", "behavior"),
    ("neighbour", "neighbor"),
    ("centre", "center"),
    ("metre", "meter"),
    ("grey", "gray"),
    ("organise", "organize"),
    ("realise", "realize"),
    ("recognise", "recognize"),
    ("catalogue", "catalog"),
    ("travelling", "traveling"),
    ("aluminium", "aluminum"),
    ("tyre", "tire"),
];

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

pub(super) fn contractions(corpus: &Corpus<'_>, voice: &mut BrandVoice) -> Vec<String> {
    if !corpus.is_english() {
        return vec!["Not learnt: the rule knows English contractions.".to_owned()];
    }
    let found = contraction_list(corpus);
    voice.contractions = if found.is_empty() { Contractions::Avoid } else { Contractions::Allow };
    vec![match found.first() {
        None => format!("None in {} words.", corpus.word_count),
        Some(example) => format!("{} in {} words, such as \"{example}\".", found.len(), corpus.word_count),
    }]
}

/// Returns all contractions of the texts, in order.
pub(super) fn contraction_list(corpus: &Corpus<'_>) -> Vec<String> {
    let found = corpus.lines.iter().flat_map(|line| CONTRACTION.find_iter(line));
    found.map(|found| found.as_str().to_owned()).collect()
}

pub(super) fn emoji(corpus: &Corpus<'_>, voice: &mut BrandVoice) -> Vec<String> {
    let count = emoji_count(corpus);
    voice.emoji = if count == 0 { EmojiUse::None } else { EmojiUse::Allow };
    vec![format!("{count} in {} texts.", corpus.samples.len())]
}

pub(super) fn emoji_count(corpus: &Corpus<'_>) -> usize {
    corpus.manuscripts().flat_map(Manuscript::lines).map(|line| PICTOGRAPH.find_iter(line).count()).sum()
}

pub(super) fn max_exclamations(corpus: &Corpus<'_>, voice: &mut BrandVoice) -> Vec<String> {
    let most = exclamations_by_text(corpus).into_iter().max().unwrap_or(0);
    voice.max_exclamations = u32::try_from(most.min(20)).expect("at most 20");
    vec![format!("The text with the most has {most}.")]
}

pub(super) fn exclamations_by_text(corpus: &Corpus<'_>) -> Vec<usize> {
    corpus.manuscripts().map(|text| text.lines().map(count_exclamations).sum()).collect()
}

pub(super) fn spelling(corpus: &Corpus<'_>, voice: &mut BrandVoice) -> Vec<String> {
    let (mut british, mut american) = (Vec::new(), Vec::new());
    for line in &corpus.lines {
        for word in line.split(|letter: char| !letter.is_alphabetic()).map(str::to_lowercase) {
            for (in_britain, in_america) in SPELLINGS {
                british.extend(Some(in_britain).filter(|spelling| *spelling == word));
                american.extend(Some(in_america).filter(|spelling| *spelling == word));
            }
        }
    }
    let (spelling, seen) = match (british.first(), american.first()) {
        (Some(word), None) => (Spelling::British, format!("\"{word}\" and no American form")),
        (None, Some(word)) => (Spelling::American, format!("\"{word}\" and no British form")),
        (None, None) => (Spelling::Any, "no word that differs".to_owned()),
        (Some(one), Some(other)) => (Spelling::Any, format!("both \"{one}\" and \"{other}\"")),
    };
    voice.spelling = spelling;
    vec![format!("{} words that differ: {seen}.", british.len() + american.len())]
}
