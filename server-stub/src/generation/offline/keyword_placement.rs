//! Adds keywords and required terms to the text: as sentences if that reads well, otherwise as a table. Also adds the sentences in
//! which a first person speaks or the reader is addressed.

use crate::domain::voice::{Contractions, PointOfView, TermMatcher, normalized};
use crate::generation::generator::ArticleBrief;

use super::compose::{Section, word_count};
use super::orthography::{quoted, visible};
use super::prose::Prose;
use super::sentence_renderer::{SentenceRenderer, Slots};

/// Maximum number of words of a term in a sentence. Longer terms are put into the table.
const MAX_TERM_WORDS_IN_A_SENTENCE: usize = 5;
const MAX_TERM_CHARS_IN_A_SENTENCE: usize = 48;
/// Sentences for terms have at most one in this many words of the text.
const MAX_KEYWORD_FRACTION: usize = 4;
/// Number of words of the text per remark of a first person.
const WORDS_PER_REMARK: usize = 350;
/// Number of words of the text per address of the reader.
const WORDS_PER_ADDRESS: usize = 200;
/// Number of words of the text per address of the reader, if the profile requires it.
const WORDS_PER_WANTED_ADDRESS: usize = 100;

/// Terms to add to a text, as sentences or as rows of a table.
#[derive(Debug)]
pub(super) struct KeywordPlacement {
    sentences: Vec<String>,
    table: Section,
}

impl KeywordPlacement {
    /// Prepares the requested keywords that `title` does not contain, and the profile's required terms.
    pub(super) fn prepare(brief: &ArticleBrief, title: &str, prose: &Prose, renderer: &SentenceRenderer<'_>) -> Self {
        let terms: Vec<Vec<String>> = terms(brief, title, renderer);
        let placed: Vec<Option<String>> =
            (0..).zip(&terms).map(|(at, forms)| sentence(forms, at, prose, renderer)).collect();
        let words: usize = placed.iter().flatten().map(|sentence| word_count(sentence)).sum();
        let is_short = words * MAX_KEYWORD_FRACTION > brief.target_word_count as usize;
        let rows: Vec<String> = terms
            .iter()
            .zip(&placed)
            .filter(|(_, placed)| is_short || placed.is_none())
            .filter_map(|(forms, _)| row(forms, renderer))
            .collect();
        let mut sentences: Vec<String> = placed.into_iter().flatten().filter(|_| !is_short).collect();
        // A first person speaks in several places, not only near the keywords.
        for (at, sentence) in spoken(brief, prose, renderer).into_iter().enumerate() {
            sentences.insert((at * 2).min(sentences.len()), sentence);
        }
        let mut table = Section::default();
        if !rows.is_empty() {
            table.heading =
                renderer.line(&prose.lines("term_headings"), &Slots::default(), |_| true).unwrap_or_default();
            table.table = std::iter::once(table.heading.clone()).chain(rows).collect();
        }
        Self { sentences, table }
    }

    /// Returns the number of words that `apply` will add.
    pub(super) fn word_count(&self) -> usize {
        self.sentences.iter().map(|sentence| word_count(sentence)).sum::<usize>() + self.table.word_count()
    }

    /// Adds the sentences to the sections, spread over the body, and the table before the ending.
    pub(super) fn apply(&self, sections: &mut Vec<Section>) {
        let bodies = sections.len().saturating_sub(2).max(1);
        for (at, sentence) in self.sentences.iter().enumerate() {
            let place = (1 + at * bodies / self.sentences.len()).min(sections.len().saturating_sub(1));
            let Some(section) = sections.get_mut(place) else { break };
            let paragraphs = section.paragraphs.len().max(1);
            if let Some(paragraph) = section.paragraphs.get_mut(at % paragraphs) {
                paragraph.push(sentence.clone());
            }
        }
        if !self.table.table.is_empty() {
            sections.insert(sections.len().saturating_sub(1), self.table.clone());
        }
    }
}

/// Returns the required terms, which must appear unchanged, and the keywords that neither these terms nor the title contain. Each
/// term has a list of spellings, the plainest first.
fn terms(brief: &ArticleBrief, title: &str, renderer: &SentenceRenderer<'_>) -> Vec<Vec<String>> {
    let required = brief.voice.vocabulary.prefer.iter().filter(|wish| wish.required).map(|wish| wish.term.trim());
    let mut terms: Vec<Vec<String>> = required.clone().map(|term| vec![term.to_owned()]).collect();
    let mut seen: Vec<String> = required.chain([title]).map(normalized).collect();
    for keyword in &brief.keywords {
        let key = normalized(keyword);
        if !key.is_empty() && !seen.iter().any(|known| known.contains(&key)) {
            seen.push(key);
            let plain = visible(keyword);
            let unbroken = plain.replace(['\'', '\u{2019}'], "");
            let breaks = renderer.rules.voice.contractions == Contractions::Avoid;
            terms.push(if breaks { vec![plain, unbroken] } else { vec![plain] });
        }
    }
    terms
}

/// Returns the first spelling that the profile allows in a table, in quotation marks if necessary.
fn row(forms: &[String], renderer: &SentenceRenderer<'_>) -> Option<String> {
    let in_marks = forms.iter().map(|form| quoted(renderer.rules.language, form));
    let allowed = forms.iter().cloned().chain(in_marks).find(|form| renderer.rules.allows(form));
    allowed.or_else(|| forms.first().cloned()).filter(|form| !form.is_empty())
}

/// Returns a sentence with the term in quotation marks, because the writer cannot inflect it.
fn sentence(forms: &[String], at: usize, prose: &Prose, renderer: &SentenceRenderer<'_>) -> Option<String> {
    let is_plain = |letter: char| letter.is_alphanumeric() || " -'\u{2019}&+#".contains(letter);
    let templates = prose.lines("terms");
    let start = renderer.dice.index(7, templates.len()) + at;
    let short = forms.iter().filter(|form| {
        form.split(' ').count() <= MAX_TERM_WORDS_IN_A_SENTENCE
            && form.chars().count() <= MAX_TERM_CHARS_IN_A_SENTENCE
            && form.chars().all(is_plain)
    });
    short.into_iter().find_map(|form| {
        let slots = Slots { term: &quoted(renderer.rules.language, form), ..Slots::default() };
        let found = TermMatcher::new([form.as_str()]);
        (0..templates.len())
            .filter_map(|step| renderer.text(templates[(start + step) % templates.len()], &slots))
            .find(|said| found.is_empty() || found.matches(said))
    })
}

/// Returns sentences in which the profile's first person speaks or the reader is addressed.
fn spoken(brief: &ArticleBrief, prose: &Prose, renderer: &SentenceRenderer<'_>) -> Vec<String> {
    let target = brief.target_word_count as usize;
    let (kind, wanted) = match brief.voice.point_of_view {
        PointOfView::FirstPersonSingular => ("i", target / WORDS_PER_REMARK + 1),
        PointOfView::FirstPersonPlural => ("we", target / WORDS_PER_REMARK + 1),
        // Questions and answers address the reader too.
        PointOfView::SecondPerson => {
            ("reader", (target / WORDS_PER_WANTED_ADDRESS) + 1 + brief.voice.faq_count as usize / 2)
        }
        PointOfView::ThirdPerson => return Vec::new(),
        PointOfView::Any => ("reader", target / WORDS_PER_ADDRESS),
    };
    let mut templates = prose.lines(kind);
    let start = renderer.dice.index(8, templates.len());
    templates.rotate_left(start);
    let said: Vec<String> =
        templates.into_iter().filter_map(|template| renderer.text(template, &Slots::default())).collect();
    // A long text, or a strict profile, needs repeated sentences to address the reader often enough.
    let most = if brief.voice.point_of_view == PointOfView::SecondPerson { wanted } else { said.len().min(wanted) };
    said.into_iter().cycle().take(most).collect()
}
