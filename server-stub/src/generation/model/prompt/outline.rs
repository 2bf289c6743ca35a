//! Outline of the article with the length of each part. A model meets the total length better if the prompt has the lengths of the
//! parts.

use crate::domain::voice::separates_words;
use crate::generation::assemble::{closing, count_words, render};
use crate::generation::generator::ArticleBrief;

/// Approximate number of words of a section.
const SECTION_WORDS: usize = 220;
/// Number of sections of an article, without the introduction.
const SECTIONS: std::ops::RangeInclusive<usize> = 3..=20;
/// The introduction has one in this many words of the article.
const INTRODUCTION_PART: usize = 10;
/// Factor on the requested words of a section, because models write fewer than requested.
const LONGER: (usize, usize) = (21, 20);

/// Returns the outline as text.
pub(super) fn outline(brief: &ArticleBrief) -> String {
    let added = count_words(&render(&closing(brief).markdown).html) as usize;
    let words = (brief.target_word_count as usize).saturating_sub(added);
    let introduction = words / INTRODUCTION_PART;
    let sections = (words / SECTION_WORDS).clamp(*SECTIONS.start(), *SECTIONS.end());
    let each = (words - introduction) * LONGER.0 / LONGER.1 / sections;
    let faq = brief.voice.faq_count;
    let unit = if separates_words(&brief.language) { "words" } else { "characters" };
    format!(
        "Outline:\n\
         - title: at most 60 characters, names the topic\n\
         - excerpt: one or two sentences, at most 250 characters\n\
         - meta_description: 80 to 150 characters\n\
         - sections: first an introduction with an empty heading and about {introduction} {unit}, which names the topic in its first \
         sentence; then {sections} sections of level 2 with about {each} {unit} each, in several paragraphs. Further headings of level 3 \
         are sections of their own.\n\
         - all sections together: {words} {unit}. The questions do not count.\n\
         - faq: {}\n\
         - tags: 2 to 5 short labels\n\
         - hero_alt: what a picture for the article would show, at most 120 characters\n",
        match faq {
            0 => "an empty list".to_owned(),
            1 => "1 question with its answer".to_owned(),
            more => format!("{more} questions with their answers"),
        }
    )
}
