//! Chooses sections and fills them with sentences until the article has its length.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::generation::assemble::escape;

use super::prose::{Part, Prose};
use super::sentence_renderer::{SentenceRenderer, Slots};

/// Approximate maximum number of words of a section. Each part of the prose has more.
const WORDS_PER_SECTION: usize = 100;
/// Minimum number of sections of an article, without opening and ending.
const MIN_SECTIONS: usize = 2;
/// Maximum number of passes through all sections. After these, an article stays too short.
const MAX_ROUNDS: u64 = 40;
/// The opening and the ending each have one in this many words of the text.
const FRAME_FRACTION: usize = 11;
const MAX_FRAME_WORDS: usize = 90;
/// A text is long enough if it lacks less than one in this many words.
const MISSING_FRACTION: usize = 20;
/// A text is shortened if it exceeds its length by more than one in this many words.
const EXCESS_FRACTION: usize = 50;
/// Degree of elaboration above which a section is one paragraph, so that more sentences can be joined.
pub(super) const ONE_PARAGRAPH_ABOVE: f64 = 1.5;

/// Section of the finished text. An empty heading marks the introduction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) heading: String,
    /// Sentences, by paragraph.
    pub(super) paragraphs: Vec<Vec<String>>,
    /// Rows of a table with one column. The first row is the header.
    pub(super) table: Vec<String>,
}

impl Section {
    pub(super) fn word_count(&self) -> usize {
        let texts = self.paragraphs.iter().flatten().chain(&self.table).chain([&self.heading]);
        texts.map(|text| word_count(text)).sum()
    }

    /// Returns the Markdown of the section without its heading.
    pub(super) fn markdown(&self) -> String {
        let mut markdown = String::new();
        for sentences in &self.paragraphs {
            markdown.extend([&escape(&sentences.join(" ")), "\n\n"]);
        }
        for (at, row) in self.table.iter().enumerate() {
            markdown.extend(["| ", &escape(row), " |\n", if at == 0 { "| --- |\n" } else { "" }]);
        }
        markdown
    }
}

/// Counts words in the same way as the length of an article.
pub(super) fn word_count(text: &str) -> usize {
    text.unicode_words().count()
}

/// Fills sections with prose of one language.
#[derive(Debug, Clone, Copy)]
pub(super) struct Composer<'a> {
    pub(super) prose: &'a Prose,
    pub(super) renderer: &'a SentenceRenderer<'a>,
    pub(super) slots: Slots<'a>,
}

impl Composer<'_> {
    /// Returns sections with about `target` words in total: an opening that names `opening_topic`, the body, and an ending.
    pub(super) fn compose(&self, opening_topic: &str, target: usize) -> Vec<Section> {
        let opener = Composer { slots: Slots { topic: opening_topic, ..self.slots }, ..*self };
        let frame = (target / FRAME_FRACTION).min(MAX_FRAME_WORDS);
        let mut sections: Vec<Section> = opener.any_of(&self.prose.parts("opening"), frame).into_iter().collect();
        let ending = self.any_of(&self.prose.parts("ending"), frame);
        let framed: usize = sections.iter().chain(&ending).map(Section::word_count).sum();
        sections.extend(self.body(target.saturating_sub(framed)));
        sections.extend(ending);
        shorten(&mut sections, target);
        sections
    }

    /// Joins sentences if the text should be elaborate.
    pub(super) fn join(&self, sections: &mut [Section]) {
        for (place, section) in (0_u64..).zip(sections) {
            let mut paragraphs = std::mem::take(&mut section.paragraphs);
            if self.slots.degree > ONE_PARAGRAPH_ABOVE && !paragraphs.is_empty() {
                paragraphs = vec![paragraphs.concat()];
            }
            let numbered = (place * 16..).zip(paragraphs);
            section.paragraphs = numbered.map(|(at, said)| self.renderer.joined(said, self.slots.degree, at)).collect();
        }
    }

    /// Returns a section for the first part, from a random start, with a sentence that the profile allows.
    fn any_of(&self, parts: &[&Part], budget: usize) -> Option<Section> {
        let start = self.renderer.dice.index(parts.first()?.paragraphs.first()?.first()?.number, parts.len());
        (0..parts.len()).find_map(|step| self.section(parts[(start + step) % parts.len()], budget))
    }

    /// Returns random sections in the order of the prose. If they are too short, adds the other sections, then all sections in
    /// further rounds.
    fn body(&self, target: usize) -> Vec<Section> {
        let parts = self.prose.parts("section");
        let wanted = target.div_ceil(WORDS_PER_SECTION).clamp(MIN_SECTIONS, parts.len());
        let mut drawn: Vec<usize> = (0..parts.len()).collect();
        drawn.sort_by_key(|at| self.renderer.dice.draw(100_000 + *at as u64));
        drawn[..wanted].sort_unstable();
        let first_round = drawn.into_iter().map(|at| (1, at));
        let further = (2..=MAX_ROUNDS).flat_map(|round| (0..parts.len()).map(move |at| (round, at)));
        let mut written: Vec<((u64, usize), Section)> = Vec::new();
        let mut total = 0;
        for (round, at) in first_round.chain(further) {
            let missing = target.saturating_sub(total);
            if written.len() >= MIN_SECTIONS && missing * MISSING_FRACTION <= target {
                break;
            }
            let budget = missing / wanted.saturating_sub(written.len()).max(1);
            let composer = Composer { slots: Slots { round, ..self.slots }, ..*self };
            if let Some(section) = composer.section(parts[at], budget) {
                total += section.word_count();
                written.push(((round, at), section));
            }
        }
        written.sort_by_key(|(place, _)| *place);
        written.into_iter().map(|(_, section)| section).collect()
    }

    /// Returns a section with as many sentences of the part as fit, at least one; `None` if the profile allows none.
    fn section(&self, part: &Part, budget: usize) -> Option<Section> {
        let mut section = Section { heading: self.heading(part)?, ..Section::default() };
        let mut total = section.word_count();
        // The first paragraph introduces the part. Later rounds begin with another paragraph.
        let first = usize::try_from(self.slots.round - 1).unwrap_or(0) % part.paragraphs.len();
        let (before, from) = part.paragraphs.split_at(first);
        let mut is_full = false;
        for paragraph in from.iter().chain(before) {
            let mut said: Vec<String> = Vec::new();
            for text in paragraph.iter().filter_map(|template| self.renderer.text(*template, &self.slots)) {
                let words = word_count(&text);
                is_full |= total + words / 2 > budget && !(said.is_empty() && section.paragraphs.is_empty());
                if !is_full {
                    total += words;
                    said.push(text);
                }
            }
            section.paragraphs.extend(Some(said).filter(|said| !said.is_empty()));
        }
        (!section.paragraphs.is_empty()).then_some(section)
    }

    /// Returns one of the headings, numbered in later rounds; empty if the part has no heading.
    fn heading(&self, part: &Part) -> Option<String> {
        if part.headings.is_empty() {
            return Some(String::new());
        }
        let heading = self.renderer.line(&part.headings, &self.slots, |_| true)?;
        if self.slots.round == 1 {
            return Some(heading);
        }
        let slots = Slots { heading: &heading, ..self.slots };
        self.renderer.line(&self.prose.lines("round"), &slots, |_| true).or(Some(heading))
    }
}

/// Removes last sentences of paragraphs, each time the one whose length is nearest to the excess. Every section keeps a sentence.
fn shorten(sections: &mut [Section], target: usize) {
    let mut total: usize = sections.iter().map(Section::word_count).sum();
    let last_words = |said: &Vec<String>| said.last().map_or(0, |last| word_count(last));
    while total > target + target / EXCESS_FRACTION {
        let excess = total - target;
        let spare = sections.iter_mut().filter(|section| section.paragraphs.iter().map(Vec::len).sum::<usize>() > 1);
        let paragraphs = spare.flat_map(|section| &mut section.paragraphs).filter(|said| !said.is_empty());
        let Some(paragraph) = paragraphs.min_by_key(|said| last_words(said).abs_diff(excess)) else { break };
        let words = last_words(paragraph);
        if words >= excess * 2 {
            break;
        }
        paragraph.pop();
        total -= words;
    }
    for section in sections {
        section.paragraphs.retain(|said| !said.is_empty());
    }
}
