//! Fills a plan with sentences until the article has its length.

use super::joining::join_sentences;
use super::length::{Draft, head_of, lengthen, shorten};
use super::markdown_blocks::{Block, ComposedSection, Tail};
use super::orthography::quoted;
use super::placeholder::Slot;
use super::plan::{MIN_SECTIONS, Plan};
use super::prose::prose;
use super::prose_file::{Section, Shape, Unit};
use super::sentence_renderer::SentenceRenderer;
use super::slot_values::SlotValues;
use super::template::{Speaker, Template};
use super::wording::Reader;

/// The opening's share of the text.
const OPENING_SHARE: f64 = 0.09;
const MAX_OPENING_WORDS: usize = 130;
/// The ending's share of the text.
const ENDING_SHARE: f64 = 0.09;
const MAX_ENDING_WORDS: usize = 140;
/// The shortest opening, and the shortest ending.
const MIN_FRAME_WORDS: usize = 34;
/// Above this degree of elaboration there are no lists, whose entries are short sentences.
const NO_LISTS_ABOVE: f64 = 1.5;
/// What not every topic has; a paragraph that needs it is left out with it.
const PARTS_OF_A_TOPIC: [Slot; 5] = [Slot::FirstOption, Slot::SecondOption, Slot::Object, Slot::Setting, Slot::Word];
/// Above this degree, and below minus half of it, blocks are chosen by their reading grade.
const CHOOSE_BY_GRADE_ABOVE: f64 = 1.5;

/// Composes the sections of a plan so that they have about `target` words together. Tells also whether the list that was ordered is
/// among them, with all its entries.
pub(super) fn compose(
    plan: &Plan,
    renderer: &SentenceRenderer<'_>,
    slots: &SlotValues<'_>,
    target: usize,
) -> (Vec<ComposedSection>, bool) {
    let within = SlotValues { may_shorten: true, ..*slots };
    let first_composer = Composer { renderer, slots };
    let opening =
        first_composer.first_with_text(&plan.openings, share(target, OPENING_SHARE, MAX_OPENING_WORDS), false);
    let composer = Composer { renderer, slots: &within };
    let opening = composer.naming_topic(opening.map_or_else(Vec::new, |opening| opening.chosen));
    let opening = ComposedSection { heading: String::new(), blocks: opening };
    let ending = composer.first_with_text(&plan.endings, share(target, ENDING_SHARE, MAX_ENDING_WORDS), true);
    let mut total = opening.word_count() + ending.as_ref().map_or(0, Draft::word_count);
    let mut drafts: Vec<Draft> = Vec::new();
    let mut left = plan.body.len();
    let mut sections: Vec<&Section> = plan.body.clone();
    sections.extend(&plan.spare);
    for (at, section) in sections.into_iter().enumerate() {
        // Spare ones are for what is missing.
        let is_long_enough = total + total / 50 >= target && drafts.len() >= MIN_SECTIONS;
        if at >= plan.body.len() && is_long_enough {
            break;
        }
        let budget = target.saturating_sub(total) / left.max(1);
        let mut draft = composer.section(section, budget.clamp(25, 420), true);
        draft.is_entry = drafts.len() < plan.entries && section.is_list_entry();
        // A section that comes to nothing leaves its place to a spare one.
        if !draft.heading.is_empty() && !draft.chosen.is_empty() {
            left = left.saturating_sub(1);
            total += draft.word_count();
            drafts.push(draft);
        }
    }
    // Spare sections were appended last; the order of stages is the order of reading.
    drafts.sort_by_key(|draft| if draft.is_entry { 0 } else { draft.stage });
    let entries = drafts.iter().filter(|draft| draft.is_entry).count();
    let has_list = plan.entries > 0 && entries == plan.entries;
    if has_list {
        for (number, draft) in (1..).zip(drafts.iter_mut().filter(|draft| draft.is_entry)) {
            draft.heading = format!("{number}. {}", draft.heading);
        }
        total += entries;
    }
    let mut composed: Vec<ComposedSection> = vec![opening];
    lengthen(&mut drafts, target, &mut total);
    composed.extend(drafts.into_iter().map(Draft::finish));
    composed.extend(ending.map(Draft::finish));
    shorten(&mut composed, target);
    (composed, has_list)
}

fn share(target: usize, share: f64, longest: usize) -> usize {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a target is at most 5000"
    )]
    let words = (target as f64 * share) as usize;
    words.clamp(MIN_FRAME_WORDS, longest)
}

struct Composer<'a> {
    renderer: &'a SentenceRenderer<'a>,
    slots: &'a SlotValues<'a>,
}

impl Composer<'_> {
    /// The first of these sections of which something can be said.
    fn first_with_text(&self, sections: &[&Section], budget: usize, has_heading: bool) -> Option<Draft> {
        sections
            .iter()
            .map(|section| self.section(section, budget, has_heading))
            .find(|draft| !draft.chosen.is_empty() && draft.heading.is_empty() != has_heading)
    }

    fn section(&self, section: &Section, budget: usize, has_heading: bool) -> Draft {
        let number = section.headings.first().map_or(1, |heading| heading.number);
        let heading = if has_heading { self.heading(&section.headings) } else { String::new() };
        let mut candidates: Vec<(usize, Block)> =
            section.units.iter().enumerate().filter_map(|(at, unit)| Some((at, self.block(unit)?))).collect();
        // The first unit of a section introduces it; the others come in any order.
        candidates.sort_by_cached_key(|(at, block)| {
            let draw = self.renderer.dice.draw(number * 100 + *at as u64);
            if *at == 0 && has_heading {
                (0, 0, 0)
            } else {
                (1 + self.mentions_of_reader(block), self.grade_penalty(block), draw)
            }
        });
        let mut draft = Draft::new(section.stage, heading);
        for (at, block) in candidates {
            let room = budget.saturating_sub(draft.word_count());
            if draft.word_count() + block.word_count() <= budget + budget / 10 {
                draft.add(at, block);
            } else if let Some(head) = head_of(&block, room).filter(|_| draft.chosen.is_empty() || room >= 30) {
                draft.add(at, head);
            } else if draft.chosen.is_empty() && block.is_paragraph() {
                let first = block.sentences.into_iter().take(if budget < 20 { 1 } else { 2 }).collect();
                draft.add(at, Block::paragraph(first));
            } else {
                draft.unused.push((at, block));
            }
        }
        draft
    }

    /// Where the reading grade is hard to reach, blocks that lie towards it come first.
    fn grade_penalty(&self, block: &Block) -> i64 {
        #[expect(clippy::cast_possible_truncation, reason = "a grade is a small number")]
        let grade = |block: &Block| (block.grade().unwrap_or_default() * 2.0) as i64;
        match self.slots.elaboration {
            elaboration if elaboration > CHOOSE_BY_GRADE_ABOVE => -grade(block),
            elaboration if elaboration < -CHOOSE_BY_GRADE_ABOVE / 2.0 => grade(block),
            _ => 0,
        }
    }

    /// How often a block has to name a reader whom it may not address; such blocks are clumsy and come last.
    fn mentions_of_reader(&self, block: &Block) -> usize {
        match self.renderer.rules.reader {
            Reader::You | Reader::Friend | Reader::Nobody => 0,
            Reader::Others(noun) => {
                block.sentences.iter().map(|sentence| sentence.to_lowercase().matches(noun).count()).sum()
            }
        }
    }

    fn heading(&self, headings: &[Template]) -> String {
        let start = headings.first().map_or(0, |heading| self.renderer.dice.index(heading.number, headings.len()));
        let mut candidates = headings[start..].iter().chain(&headings[..start]);
        candidates.find_map(|heading| self.line(heading)).unwrap_or_default()
    }

    fn line(&self, template: &Template) -> Option<String> {
        self.renderer.render_line(template, self.slots)
    }

    fn block(&self, unit: &Unit) -> Option<Block> {
        let lacks_words = |template: &Template| {
            PARTS_OF_A_TOPIC.into_iter().any(|slot| template.requires(slot) && !self.slots.can_fill(slot))
        };
        let is_list = matches!(unit.shape, Shape::Bullets(_) | Shape::Steps(_));
        if is_list && self.slots.elaboration > NO_LISTS_ABOVE {
            return None;
        }
        if unit.sentences.iter().any(lacks_words) {
            return None;
        }
        let mut said: Vec<String> = Vec::new();
        let mut kept = 0;
        let mut is_broken = false;
        for template in &unit.sentences {
            let sentences = self.renderer.render(template, self.slots);
            // What leans on a sentence that could not be said is left out with it.
            let sentences =
                sentences.filter(|sentences| !(is_broken && sentences.first().is_some_and(|first| refers_back(first))));
            is_broken = sentences.is_none() && (is_broken || template.speaker == Speaker::None);
            if let Some(sentences) = sentences {
                said.extend(sentences);
                kept += 1;
            }
        }
        let spoken_by_others = unit.sentences.iter().filter(|template| template.speaker == Speaker::None).count();
        let lacks_sentences = kept * 2 < spoken_by_others || kept == 0;
        // A list needs the sentence that leads to it.
        if lacks_sentences || unit.shape != Shape::Paragraph && is_broken {
            return None;
        }
        let number = unit.sentences.first().map_or(0, |template| template.number);
        let lines = |items: &[Template]| items.iter().filter_map(|item| self.line(item)).collect::<Vec<String>>();
        let tail = match &unit.shape {
            Shape::Paragraph => Tail::Nothing,
            Shape::Bullets(items) => Tail::Bullets(Some(lines(items)).filter(|items| items.len() >= 2)?),
            Shape::Steps(items) => Tail::Steps(Some(lines(items)).filter(|items| items.len() >= 3)?),
            Shape::Table(rows) => Tail::Table(self.table(rows)?),
        };
        let sentences = if tail == Tail::Nothing {
            join_sentences(self.renderer, said, self.slots.elaboration, number)
        } else {
            said
        };
        Some(Block { subheading: unit.subheading.as_ref().and_then(|template| self.line(template)), sentences, tail })
    }

    /// A table whose header can be said, with the rows that can.
    fn table(&self, rows: &[Vec<Template>]) -> Option<Vec<Vec<String>>> {
        let said: Vec<Option<Vec<String>>> =
            rows.iter().map(|row| row.iter().map(|cell| self.line(cell)).collect()).collect();
        said.first()?.as_ref()?;
        let said: Vec<Vec<String>> = said.into_iter().flatten().collect();
        (said.len() >= 3).then_some(said)
    }

    /// The opening names the topic; where its phrase could not carry a word of the topic, a word is quoted.
    fn naming_topic(&self, mut chosen: Vec<(usize, Block)>) -> Vec<Block> {
        chosen.sort_by_key(|(at, _)| *at);
        let mut blocks: Vec<Block> = chosen.into_iter().map(|(_, block)| block).collect();
        if let Some(word_to_quote) = &self.slots.topic.word_to_quote {
            let term = quoted(self.renderer.rules.language, word_to_quote);
            let slots = SlotValues { term: &term, ..*self.slots };
            let templates = &prose(self.renderer.rules.language).word_openings;
            let said = templates.iter().find_map(|template| self.renderer.render_line(template, &slots));
            let said = said.or_else(|| Some(term.clone()).filter(|term| self.renderer.rules.allows(term)));
            match (blocks.first_mut(), said) {
                (Some(first), Some(said)) => first.sentences.insert(0, said),
                (None, Some(said)) => blocks.push(Block::paragraph(vec![said])),
                (_, None) => {}
            }
        }
        blocks
    }
}

/// Whether a sentence makes sense only after the one before it.
fn refers_back(sentence: &str) -> bool {
    const LEANING: &str = " it its they their them that this these those then and but so or both each one the other others otherwise there neither such ";
    let first = sentence.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or("").to_lowercase();
    let contrasts = [
        "The first",
        "The second",
        "The third",
        "The last",
        "The other",
        "The rest",
        "The answer",
        "Either way",
        "Where it",
    ];
    LEANING.contains(&format!(" {first} ")) && first != "the"
        || contrasts.iter().any(|start| sentence.starts_with(start))
}
