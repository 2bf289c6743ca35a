//! Fits a draft to the requested shape where no writer is needed: removes surplus words and questions, adds missing question marks,
//! raises headings that are too small.

use std::slice;

use crate::domain::voice::{WORD_COUNT_TOLERANCE, is_question, question_mark};
use crate::generation::assemble::{closing, count_words, render};
use crate::generation::generator::{ArticleBrief, ArticleDraft};

use super::grounding::{blocks, emit};

/// Used fraction of the tolerance for the length of an article before it is shortened.
const USED_TOLERANCE: f64 = 0.9;

/// Level of section headings.
const SECTION_LEVEL: u8 = 2;
/// Minimum number of sections of an article.
const MIN_SECTIONS: usize = 3;

/// Shortens the draft to the requested length and fixes its questions and headings.
pub(super) fn fit(brief: &ArticleBrief, mut draft: ArticleDraft) -> ArticleDraft {
    draft.faq.truncate(brief.voice.faq_count as usize);
    for entry in &mut draft.faq {
        if !is_question(&entry.question) {
            entry.question = as_question(&entry.question, &brief.language);
        }
    }
    raise_headings(&mut draft);
    shorten(brief, &mut draft);
    draft
}

/// Replaces the punctuation at the end of a text by a question mark. Keeps other signs: "C++" stays "C++?".
fn as_question(text: &str, language: &str) -> String {
    let is_end = |end: char| end.is_whitespace() || ".!,:;-…。．！、".contains(end);
    format!("{}{}", text.trim_end_matches(is_end), question_mark(language))
}

/// Raises all headings to the level of sections if too few are on it.
fn raise_headings(draft: &mut ArticleDraft) {
    let headed = || draft.sections.iter().filter(|section| !section.heading.is_empty());
    let sections = headed().filter(|section| section.level == SECTION_LEVEL).count();
    if sections < MIN_SECTIONS && headed().count() >= MIN_SECTIONS {
        draft.sections.iter_mut().for_each(|section| section.level = SECTION_LEVEL);
    }
}

/// Removes last paragraphs from the sections with the most paragraphs until the article is short enough. Each section keeps one.
fn shorten(brief: &ArticleBrief, draft: &mut ArticleDraft) {
    let most = f64::from(brief.target_word_count) * (1.0 + WORD_COUNT_TOLERANCE * USED_TOLERANCE);
    let others =
        words(&closing(brief).markdown) + draft.sections.iter().map(|section| words(&section.heading)).sum::<u32>();
    let mut total = others + draft.sections.iter().map(|section| words(&section.markdown)).sum::<u32>();
    if f64::from(total) <= most {
        return;
    }
    let mut sections: Vec<_> = draft.sections.iter().map(|section| blocks(&section.markdown)).collect();
    while f64::from(total) > most {
        let longest = sections.iter_mut().max_by_key(|blocks| blocks.len()).filter(|blocks| blocks.len() > 1);
        let Some(block) = longest.and_then(Vec::pop) else { break };
        total = total.saturating_sub(words(&emit(slice::from_ref(&block))));
    }
    for (section, blocks) in draft.sections.iter_mut().zip(sections) {
        section.markdown = emit(&blocks);
    }
}

fn words(markdown: &str) -> u32 {
    count_words(&render(markdown).html)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_ends_in_one_question_mark_and_keeps_signs_that_are_no_punctuation() {
        for (text, language, expected) in [
            ("Why feed it", "en", "Why feed it?"),
            ("Why feed it. ", "en", "Why feed it?"),
            ("Why C++", "en", "Why C++?"),
            ("なぜですか。", "ja", "なぜですか？"),
        ] {
            assert_eq!(as_question(text, language), expected);
        }
    }
}
