//! What a draft lacks of the shape that was asked for, as far as no writer is needed: too many words or questions, a missing question
//! mark, headings that are too small.

use std::slice;

use crate::domain::voice::WORD_COUNT_TOLERANCE;
use crate::generation::assemble::{closing, count_words, render};
use crate::generation::generator::{ArticleBrief, ArticleDraft};

use super::grounding::{blocks, emit};

/// Of what an article may be too long, so much is used before it is shortened.
const USED_TOLERANCE: f64 = 0.9;

/// The level of the heading of a section.
const SECTION_LEVEL: u8 = 2;
/// An article has so many of them at least.
const MIN_SECTIONS: usize = 3;

/// The draft, shortened to what was ordered.
pub(super) fn fit(brief: &ArticleBrief, mut draft: ArticleDraft) -> ArticleDraft {
    draft.faq.truncate(brief.voice.faq_count as usize);
    for entry in &mut draft.faq {
        if !entry.question.ends_with('?') {
            let is_end = |end: char| end.is_ascii_punctuation() || end.is_whitespace();
            let bare = entry.question.trim_end_matches(is_end).len();
            entry.question.truncate(bare);
            entry.question.push('?');
        }
    }
    raise_headings(&mut draft);
    shorten(brief, &mut draft);
    draft
}

/// Where too few headings are of the level of sections, all are.
fn raise_headings(draft: &mut ArticleDraft) {
    let headed = || draft.sections.iter().filter(|section| !section.heading.is_empty());
    let sections = headed().filter(|section| section.level == SECTION_LEVEL).count();
    if sections < MIN_SECTIONS && headed().count() >= MIN_SECTIONS {
        draft.sections.iter_mut().for_each(|section| section.level = SECTION_LEVEL);
    }
}

/// Takes last paragraphs off the sections that have most, until the article is short enough. Each section keeps one.
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
