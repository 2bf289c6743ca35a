//! Bringing keywords and required terms into the text: a sentence where that reads well, a list or a table where it does not.

use crate::domain::voice::{Contractions, TermMatcher, normalized};
use crate::generation::generator::ArticleBrief;

use super::markdown_blocks::{Block, ComposedSection, Tail};
use super::plain_text::{visible, written_out};
use super::prose::prose;
use super::sentence_renderer::SentenceRenderer;
use super::slot_values::SlotValues;
use super::topic::Topic;

/// A term of more words stands in a table rather than in a sentence.
const MAX_TERM_WORDS_IN_A_SENTENCE: usize = 5;
/// Sentences for terms take at most one part in so many of the text.
const MAX_KEYWORD_FRACTION: usize = 4;
/// A first person makes one remark of its own in so many words.
const WORDS_PER_REMARK: usize = 350;

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
        topic: &Topic,
        renderer: &SentenceRenderer<'_>,
        thorough: bool,
    ) -> Self {
        let mut placement = Self::default();
        let mut seen: Vec<String> = if thorough { Vec::new() } else { vec![normalized(&topic.noun)] };
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
            match forms.iter().find_map(|form| sentence(form, at, topic, renderer)) {
                Some(sentence) => placement.sentences.push(sentence),
                None => placement
                    .listed
                    .push(forms.into_iter().find(|form| renderer.allows(form)).unwrap_or_else(|| visible(term))),
            }
        }
        let slots = SlotValues { topic, term: "", elaboration: 0.5, joined: true, may_shorten: true };
        placement.heading = prose()
            .keyword_headings
            .iter()
            .find_map(|heading| renderer.render_line(heading, &slots))
            .unwrap_or_default();
        let spoken = spoken(brief, &slots, renderer);
        let words: usize = placement.sentences.iter().map(|sentence| sentence.split_whitespace().count()).sum();
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
                .filter_map(|forms| forms.into_iter().find(|form| renderer.allows(form)))
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
        let heading = if self.listed.is_empty() { 0 } else { self.heading.split_whitespace().count() * 2 };
        let words = |texts: &[String]| texts.iter().map(|text| text.split_whitespace().count()).sum::<usize>();
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

fn sentence(form: &str, at: usize, topic: &Topic, renderer: &SentenceRenderer<'_>) -> Option<String> {
    let is_plain =
        form.chars().all(|letter| letter.is_alphanumeric() || " -'\u{2019}&+#\u{201c}\u{201d}".contains(letter));
    if !is_plain || form.split(' ').count() > MAX_TERM_WORDS_IN_A_SENTENCE || form.chars().count() > 48 {
        return None;
    }
    let templates = &prose().keyword_sentences;
    let start = (renderer.dice.index(7, templates.len()) + at) % templates.len();
    let slots = SlotValues { topic, term: form, elaboration: 0.5, joined: true, may_shorten: true };
    let found = TermMatcher::new([form.trim_matches(['\u{201c}', '\u{201d}'])]);
    (0..templates.len())
        .map(|step| &templates[(start + step) % templates.len()])
        .filter_map(|template| renderer.render_line(template, &slots))
        .find(|said| found.is_empty() || found.matches(said))
}

/// Sentences in which the profile's first person speaks.
fn spoken(brief: &ArticleBrief, slots: &SlotValues<'_>, renderer: &SentenceRenderer<'_>) -> Vec<String> {
    let templates = &prose().first_person_sentences;
    let start = renderer.dice.index(8, templates.len());
    let wanted = (brief.target_word_count as usize / WORDS_PER_REMARK).max(1);
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
    if renderer.voice().contractions == Contractions::Avoid {
        forms.push(plain.replace(['\'', '\u{2019}'], ""));
        forms.push(written_out(&plain));
    }
    let quoted: Vec<String> = forms.iter().map(|form| format!("\u{201c}{form}\u{201d}")).collect();
    forms.extend(quoted);
    forms
}
