//! Bringing sections to their length: blocks in reserve, first sentences of blocks, last sentences to drop.

use super::markdown_blocks::{Block, ComposedSection, Tail};

/// Subheadings appear in sections from so many words on.
const WORDS_FOR_SUBHEADINGS: usize = 260;

/// An article may be longer than ordered by this fraction of it before whole blocks are dropped.
const MOST_EXCESS_FRACTION: usize = 16;

/// A section with the blocks that are in and those that could be.
pub(super) struct Draft {
    pub(super) stage: u32,
    /// Whether it is an entry of the list that was ordered.
    pub(super) is_entry: bool,
    pub(super) heading: String,
    pub(super) chosen: Vec<(usize, Block)>,
    pub(super) unused: Vec<(usize, Block)>,
    words: usize,
}

impl Draft {
    pub(super) fn new(stage: u32, heading: String) -> Self {
        let words = heading.split_whitespace().count();
        Self { stage, is_entry: false, heading, chosen: Vec::new(), unused: Vec::new(), words }
    }

    /// Takes a block in, which stands at the given place of the section.
    pub(super) fn add(&mut self, at: usize, block: Block) {
        self.words += block.word_count();
        self.chosen.push((at, block));
    }

    pub(super) fn word_count(&self) -> usize {
        self.words
    }

    pub(super) fn finish(mut self) -> ComposedSection {
        self.chosen.sort_by_key(|(at, _)| *at);
        let words: usize = self.chosen.iter().map(|(_, block)| block.word_count()).sum();
        let keeps_subheadings = words >= WORDS_FOR_SUBHEADINGS;
        let mut blocks: Vec<Block> = self.chosen.into_iter().map(|(_, block)| block).collect();
        for (at, block) in blocks.iter_mut().enumerate() {
            if at == 0 || !keeps_subheadings {
                block.subheading = None;
            }
        }
        ComposedSection { heading: self.heading, blocks }
    }
}

/// As many of the first sentences as fit into the room, at least two.
pub(super) fn head_of(block: &Block, room: usize) -> Option<Block> {
    if !block.is_paragraph() {
        return None;
    }
    let mut words = 0;
    let fitting = block
        .sentences
        .iter()
        .take_while(|sentence| {
            words += sentence.split_whitespace().count();
            words <= room + 6
        })
        .count();
    (fitting >= 2).then(|| Block {
        subheading: None,
        sentences: block.sentences[..fitting].to_vec(),
        tail: Tail::Nothing,
    })
}

/// Adds unused blocks, or the first sentences of them, until the length is right.
pub(super) fn lengthen(drafts: &mut [Draft], target: usize, total: &mut usize) {
    loop {
        let missing = target.saturating_sub(*total);
        if missing < 12 + target / 100 {
            return;
        }
        // The shortest section gets the next block.
        let Some(draft) =
            drafts.iter_mut().filter(|draft| !draft.unused.is_empty()).min_by_key(|draft| draft.word_count())
        else {
            return;
        };
        let (at, block) = draft.unused.remove(0);
        let before = draft.word_count();
        if block.word_count() <= missing + 8 {
            draft.add(at, block);
        } else if let Some(head) = head_of(&block, missing) {
            draft.add(at, head);
        } else if missing * 14 > target && block.is_paragraph() {
            // One sentence alone is better than an article that is too short.
            draft.add(at, Block::paragraph(block.sentences.into_iter().take(1).collect()));
        }
        *total += draft.word_count() - before;
    }
}

/// Drops last sentences of paragraphs until the length is right, and where they do not do, whole blocks.
pub(super) fn shorten(sections: &mut [ComposedSection], target: usize) {
    drop_sentences(sections, target);
    drop_blocks(sections, target);
}

/// Drops blocks, each time the one whose length is nearest to the excess, as long as the article stays far too long otherwise. Each section
/// keeps one.
fn drop_blocks(sections: &mut [ComposedSection], target: usize) {
    loop {
        let total: usize = sections.iter().map(ComposedSection::word_count).sum();
        let excess = total.saturating_sub(target);
        if excess <= target / MOST_EXCESS_FRACTION {
            return;
        }
        let several = sections.iter_mut().filter(|section| section.blocks.len() > 1);
        let blocks = several.filter_map(|section| {
            let distances: Vec<_> = section.blocks.iter().map(|block| block.word_count().abs_diff(excess)).collect();
            let nearest = distances.into_iter().enumerate().min_by_key(|(_, distance)| *distance);
            nearest.map(|(at, distance)| (section, at, distance))
        });
        let Some((section, at, distance)) = blocks.min_by_key(|(_, _, distance)| *distance) else { return };
        // Too short is no better than too long.
        if distance >= excess {
            return;
        }
        section.blocks.remove(at);
    }
}

/// Drops last sentences of paragraphs, each time the one whose length is nearest to the excess.
fn drop_sentences(sections: &mut [ComposedSection], target: usize) {
    let mut total: usize = sections.iter().map(ComposedSection::word_count).sum();
    while total > target + target / 50 {
        let excess = total - target;
        let shortest_left =
            sections.iter().flat_map(|section| &section.blocks).map(|block| block.sentences.len()).max().unwrap_or(0);
        if shortest_left <= 1 {
            return;
        }
        let least = if shortest_left > 3 { 3 } else { shortest_left - 1 };
        let candidates = sections.iter_mut().flat_map(|section| &mut section.blocks);
        let closest =
            candidates.filter(|block| block.is_paragraph() && block.sentences.len() > least).min_by_key(|block| {
                block.sentences.last().map_or(usize::MAX, |last| last.split_whitespace().count().abs_diff(excess))
            });
        let Some(block) = closest else { return };
        total -= block.sentences.pop().map_or(0, |last| last.split_whitespace().count());
    }
}
