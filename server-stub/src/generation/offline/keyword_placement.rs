//! Bringing keywords and required terms into the text: a sentence where that reads well, a list or a table where it does not.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::domain::voice::{Contractions, PointOfView, TermMatcher, normalized};
use crate::generation::generator::ArticleBrief;

use super::markdown_blocks::{Block, ComposedSection, Tail};
use super::orthography::quoted;
use super::plain_text::{visible, written_out};
use super::prose::prose;
use super::sentence_renderer::SentenceRenderer;
use super::slot_values::SlotValues;

/// A term of more words stands in a table rather than in a sentence.
const MAX_TERM_WORDS_IN_A_SENTENCE: usize = 5;
/// Sentences for terms take at most one part in so many of the text.
const MAX_KEYWORD_FRACTION: usize = 4;
/// A first person makes one remark of its own in so many words.
const WORDS_PER_REMARK: usize = 350;
/// Where a text addressed its reader too rarely, it does once more in so many words.
const WORDS_PER_ADDRESS: usize = 100;
/// A question with its answer has about so many words.
const WORDS_PER_QUESTION: usize = 50;

/// The terms to put into a text, as sentences or as entries of a table.
#[derive(Debug, Default)]
pub(super) struct KeywordPlacement {
    sentences: Vec<String>,
    listed: Vec<String>,
    heading: String,
}

impl KeywordPlacement {
    /// Prepares the ordered keywords and the profile's required terms; `thorough` also those that the text may have already.
    pub(super) fn prepare(
        brief: &ArticleBrief,
        slots: &SlotValues<'_>,
        renderer: &SentenceRenderer<'_>,
        thorough: bool,
    ) -> Self {
        let slots = SlotValues { term: "", elaboration: 0.5, joined: true, may_shorten: true, ..*slots };
        let mut placement = Self::default();
        let mut seen: Vec<String> = if thorough { Vec::new() } else { vec![normalized(&slots.topic.noun)] };
        let required =
            brief.voice.vocabulary.prefer.iter().filter(|wish| wish.required).map(|wish| (wish.term.as_str(), true));
        let terms = brief.keywords.iter().map(|keyword| (keyword.as_str(), false)).chain(required);
        for (at, (term, is_required)) in (0_usize..).zip(terms) {
            let key = normalized(term);
            let is_named = if is_required {
                seen.contains(&key)
            } else {
                key.is_empty() || seen.iter().any(|text| text.contains(&key))
            };
            if is_named && !(is_required && key.is_empty()) {
                continue;
            }
            seen.push(key);
            let forms = if is_required { vec![term.trim().to_owned()] } else { forms(term, renderer) };
            match forms.iter().find_map(|form| sentence(form, at, &slots, renderer)) {
                Some(sentence) => placement.sentences.push(sentence),
                None => placement
                    .listed
                    .push(forms.into_iter().find(|form| renderer.rules.allows(form)).unwrap_or_else(|| visible(term))),
            }
        }
        placement.heading = prose(renderer.rules.language)
            .keyword_headings
            .iter()
            .find_map(|heading| renderer.render_line(heading, &slots))
            .unwrap_or_default();
        let spoken = spoken(brief, &slots, renderer, thorough);
        let words: usize = placement.sentences.iter().map(|sentence| sentence.unicode_words().count()).sum();
        if words * MAX_KEYWORD_FRACTION > brief.target_word_count as usize {
            placement = Self { sentences: Vec::new(), ..placement };
            let required = brief
                .voice
                .vocabulary
                .prefer
                .iter()
                .filter(|wish| wish.required)
                .map(|wish| vec![wish.term.trim().to_owned()]);
            let all = brief.keywords.iter().map(|keyword| forms(keyword, renderer)).chain(required);
            placement.listed = all
                .filter_map(|forms| forms.into_iter().find(|form| renderer.rules.allows(form)))
                .filter(|form| !form.is_empty())
                .collect();
        }
        // A first person speaks in several places, not only where the keywords are.
        for (at, sentence) in spoken.into_iter().enumerate() {
            placement.sentences.insert((at * 2).min(placement.sentences.len()), sentence);
        }
        placement
    }

    /// Words that placing the terms will add.
    pub(super) fn word_count(&self) -> usize {
        let heading = if self.listed.is_empty() { 0 } else { self.heading.unicode_words().count() * 2 };
        let words = |texts: &[String]| texts.iter().map(|text| text.unicode_words().count()).sum::<usize>();
        heading + words(&self.sentences) + words(&self.listed)
    }

    /// Puts the terms into the sections, spread over the body; what cannot stand in a sentence goes into a table before the end.
    pub(super) fn apply(&self, sections: &mut Vec<ComposedSection>) {
        let bodies = sections.len().saturating_sub(2).max(1);
        for (at, sentence) in self.sentences.iter().enumerate() {
            let preferred = 1 + at * bodies / self.sentences.len().max(1) + at % 2;
            let place = (0..sections.len()).map(|step| (preferred + step) % sections.len()).find(|&section| {
                sections[section].blocks.iter().any(|block| block.is_paragraph() && !block.sentences.is_empty())
            });
            let Some(place) = place else { continue };
            let mut paragraphs: Vec<&mut Block> = sections[place]
                .blocks
                .iter_mut()
                .filter(|block| block.is_paragraph() && !block.sentences.is_empty())
                .collect();
            let which = at % paragraphs.len();
            paragraphs[which].sentences.push(sentence.clone());
        }
        if !self.listed.is_empty() {
            let rows = std::iter::once(self.heading.clone())
                .chain(self.listed.iter().cloned())
                .map(|cell| vec![cell])
                .collect();
            let block = Block { subheading: None, sentences: Vec::new(), tail: Tail::Table(rows) };
            let place = sections.len().saturating_sub(1).max(1).min(sections.len());
            sections.insert(place, ComposedSection { heading: self.heading.clone(), blocks: vec![block] });
        }
    }
}

fn sentence(form: &str, at: usize, slots: &SlotValues<'_>, renderer: &SentenceRenderer<'_>) -> Option<String> {
    let is_plain = form.chars().all(|letter| {
        letter.is_alphanumeric() || " -'\u{2019}&+#\u{201c}\u{201d}\u{201e}\u{ab}\u{bb}\u{a0}".contains(letter)
    });
    if !is_plain || form.split(' ').count() > MAX_TERM_WORDS_IN_A_SENTENCE || form.chars().count() > 48 {
        return None;
    }
    let templates = &prose(renderer.rules.language).keyword_sentences;
    let start = (renderer.dice.index(7, templates.len()) + at) % templates.len();
    let slots = SlotValues { term: form, ..*slots };
    let found =
        TermMatcher::new([form.trim_matches(['\u{201c}', '\u{201d}', '\u{201e}', '\u{ab}', '\u{bb}', '\u{a0}'])]);
    (0..templates.len())
        .map(|step| &templates[(start + step) % templates.len()])
        .filter_map(|template| renderer.render_line(template, &slots))
        .find(|said| found.is_empty() || found.matches(said))
}

/// Sentences in which the profile's first person speaks, or in which its reader is addressed.
fn spoken(
    brief: &ArticleBrief,
    slots: &SlotValues<'_>,
    renderer: &SentenceRenderer<'_>,
    thorough: bool,
) -> Vec<String> {
    let prose = prose(renderer.rules.language);
    let addresses = brief.voice.point_of_view == PointOfView::SecondPerson;
    let templates = if addresses { &prose.reader_sentences } else { &prose.first_person_sentences };
    let start = renderer.dice.index(8, templates.len());
    let target = brief.target_word_count as usize;
    let wanted = if addresses && thorough {
        // Questions and answers count as well.
        (target + brief.voice.faq_count as usize * WORDS_PER_QUESTION) / WORDS_PER_ADDRESS + 1
    } else {
        (target / WORDS_PER_REMARK).max(1)
    };
    (0..templates.len())
        .map(|step| &templates[(start + step) % templates.len()])
        .filter_map(|template| renderer.render_line(template, slots))
        .take(wanted)
        .collect()
}

/// The ways to show a keyword, the plainest first.
fn forms(keyword: &str, renderer: &SentenceRenderer<'_>) -> Vec<String> {
    let plain = visible(keyword);
    let mut forms = vec![plain.clone()];
    if renderer.rules.voice.contractions == Contractions::Avoid {
        forms.push(plain.replace(['\'', '\u{2019}'], ""));
        forms.push(written_out(&plain));
    }
    let quoted: Vec<String> = forms.iter().map(|form| quoted(renderer.rules.language, form)).collect();
    forms.extend(quoted);
    forms
}
