//! The template prose of each language, parsed once; the words themselves are in `prose/`.

use std::sync::LazyLock;

use crate::domain::voice::SupportedLanguage;

use super::prose_file::{Purpose, Section, parse_lines, parse_sections};
use super::subject_area::{SubjectArea, parse_subject_areas};
use super::template::Template;

/// Everything the writer can say in one language.
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
    pub(super) excerpts: Vec<Template>,
    pub(super) descriptions: Vec<Template>,
    /// Sentences that bring a keyword in.
    pub(super) keyword_sentences: Vec<Template>,
    /// Sentences in which the first person speaks; they fit after any paragraph.
    pub(super) first_person_sentences: Vec<Template>,
    /// Sentences that address the reader; they fit after any paragraph.
    pub(super) reader_sentences: Vec<Template>,
    pub(super) keyword_headings: Vec<Template>,
    pub(super) alts: Vec<Template>,
    /// Sentences that name a word of the topic at the start of the text.
    pub(super) word_openings: Vec<Template>,
    /// The subject areas of topics, the general one first.
    pub(super) fields: Vec<SubjectArea>,
}

/// The sources of one language.
struct Sources {
    body: &'static [&'static str],
    openings: &'static str,
    endings: &'static str,
    questions: &'static str,
    titles: &'static str,
    excerpts: &'static str,
    descriptions: &'static str,
    keyword_sentences: &'static str,
    first_person_sentences: &'static str,
    reader_sentences: &'static str,
    keyword_headings: &'static str,
    alts: &'static str,
    word_openings: &'static str,
    fields: &'static str,
}

macro_rules! sources {
    ($folder:literal, [$($body:literal),+]) => {
        Sources {
            body: &[$(include_str!(concat!("prose/", $folder, "/", $body, ".prose"))),+],
            openings: include_str!(concat!("prose/", $folder, "/openings.prose")),
            endings: include_str!(concat!("prose/", $folder, "/endings.prose")),
            questions: include_str!(concat!("prose/", $folder, "/questions.prose")),
            titles: include_str!(concat!("prose/", $folder, "/titles.prose")),
            excerpts: include_str!(concat!("prose/", $folder, "/excerpts.prose")),
            descriptions: include_str!(concat!("prose/", $folder, "/descriptions.prose")),
            keyword_sentences: include_str!(concat!("prose/", $folder, "/keywords.prose")),
            first_person_sentences: include_str!(concat!("prose/", $folder, "/adviser.prose")),
            reader_sentences: include_str!(concat!("prose/", $folder, "/reader.prose")),
            keyword_headings: include_str!(concat!("prose/", $folder, "/keyword_headings.prose")),
            alts: include_str!(concat!("prose/", $folder, "/alts.prose")),
            word_openings: include_str!(concat!("prose/", $folder, "/word_openings.prose")),
            fields: include_str!(concat!("prose/", $folder, "/fields.prose")),
        }
    };
}

static ENGLISH: LazyLock<Prose> = LazyLock::new(|| {
    Prose::parse(&sources!(
        "en",
        ["howto", "compare", "points", "explain", "opinion", "general", "garden_to_law", "business_to_ideas"]
    ))
});
static GERMAN: LazyLock<Prose> = LazyLock::new(|| {
    Prose::parse(&sources!("de", ["howto", "compare", "points", "explain", "opinion", "general", "subject_areas"]))
});
static FRENCH: LazyLock<Prose> = LazyLock::new(|| {
    Prose::parse(&sources!("fr", ["howto", "compare", "points", "explain", "opinion", "general", "subject_areas"]))
});
static SPANISH: LazyLock<Prose> = LazyLock::new(|| {
    Prose::parse(&sources!("es", ["howto", "compare", "points", "explain", "opinion", "general", "subject_areas"]))
});

pub(super) fn prose(language: SupportedLanguage) -> &'static Prose {
    match language {
        SupportedLanguage::English => &ENGLISH,
        SupportedLanguage::German => &GERMAN,
        SupportedLanguage::French => &FRENCH,
        SupportedLanguage::Spanish => &SPANISH,
    }
}

impl Prose {
    fn parse(sources: &Sources) -> Self {
        let mut body = Vec::new();
        for (source, first) in sources.body.iter().zip((10_000..).step_by(10_000)) {
            body.extend(parse_sections(source, first));
        }
        Self {
            body,
            openings: parse_sections(sources.openings, 200_000),
            endings: parse_sections(sources.endings, 210_000),
            questions: parse_sections(sources.questions, 220_000),
            titles: parse_sections(sources.titles, 230_000),
            excerpts: parse_lines(sources.excerpts, 240_000),
            descriptions: parse_lines(sources.descriptions, 250_000),
            keyword_sentences: parse_lines(sources.keyword_sentences, 260_000),
            keyword_headings: parse_lines(sources.keyword_headings, 270_000),
            first_person_sentences: parse_lines(sources.first_person_sentences, 280_000),
            reader_sentences: parse_lines(sources.reader_sentences, 310_000),
            alts: parse_lines(sources.alts, 290_000),
            word_openings: parse_lines(sources.word_openings, 300_000),
            fields: parse_subject_areas(sources.fields),
        }
    }
}

/// The sections for a purpose.
pub(super) fn serving(sections: &'static [Section], purpose: Purpose) -> impl Iterator<Item = &'static Section> {
    sections.iter().filter(move |section| section.serves(purpose))
}
