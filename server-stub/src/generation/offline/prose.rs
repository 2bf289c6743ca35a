//! The template prose, parsed once; the words themselves are in `prose/*.prose`.

use std::sync::LazyLock;

use super::grammar::{Purpose, Section, parse_lines, parse_sections};
use super::sentence::Sentence;

/// Everything the writer can say.
#[derive(Debug)]
pub(super) struct Prose {
    /// Sections of the body.
    pub(super) body: Vec<Section>,
    /// Openings; each unit is one.
    pub(super) openings: Vec<Section>,
    /// Endings; each unit is one.
    pub(super) endings: Vec<Section>,
    /// Questions (as headings) with answers (one unit each).
    pub(super) questions: Vec<Section>,
    pub(super) titles: Vec<Section>,
    pub(super) excerpts: Vec<Sentence>,
    pub(super) descriptions: Vec<Sentence>,
    /// Sentences that bring a keyword in.
    pub(super) keyword_sentences: Vec<Sentence>,
    /// Sentences in which the first person speaks; they fit after any paragraph.
    pub(super) first_person_sentences: Vec<Sentence>,
    pub(super) keyword_headings: Vec<Sentence>,
    pub(super) alts: Vec<Sentence>,
}

static PROSE: LazyLock<Prose> = LazyLock::new(|| {
    let body = [
        include_str!("prose/understand.prose"),
        include_str!("prose/prepare.prose"),
        include_str!("prose/choose.prose"),
        include_str!("prose/act.prose"),
        include_str!("prose/watch.prose"),
        include_str!("prose/keep.prose"),
    ];
    let mut sections = Vec::new();
    for (source, first) in body.into_iter().zip((10_000..).step_by(10_000)) {
        sections.extend(parse_sections(source, first));
    }
    Prose {
        body: sections,
        openings: parse_sections(include_str!("prose/openings.prose"), 100_000),
        endings: parse_sections(include_str!("prose/endings.prose"), 110_000),
        questions: parse_sections(include_str!("prose/questions.prose"), 120_000),
        titles: parse_sections(include_str!("prose/titles.prose"), 130_000),
        excerpts: parse_lines(include_str!("prose/excerpts.prose"), 140_000),
        descriptions: parse_lines(include_str!("prose/descriptions.prose"), 150_000),
        keyword_sentences: parse_lines(include_str!("prose/keywords.prose"), 160_000),
        keyword_headings: parse_lines(include_str!("prose/keyword_headings.prose"), 170_000),
        first_person_sentences: parse_lines(include_str!("prose/adviser.prose"), 190_000),
        alts: parse_lines(include_str!("prose/alts.prose"), 180_000),
    }
});

pub(super) fn prose() -> &'static Prose {
    &PROSE
}

/// The sections for a purpose.
pub(super) fn serving(sections: &'static [Section], purpose: Purpose) -> impl Iterator<Item = &'static Section> {
    sections.iter().filter(move |section| section.serves(purpose))
}
