//! Bringing sections to their length: blocks in reserve, first sentences of blocks, last sentences to drop.

use unicode_segmentation::UnicodeSegmentation as _;

use super::markdown_blocks::{Block, ComposedSection, Tail};

/// Subheadings appear in sections from so many words on.
const WORDS_FOR_SUBHEADINGS: usize = 260;

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
        let words = heading.unicode_words().count();
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
            words += sentence.unicode_words().count();
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

/// Drops last sentences of paragraphs, each time the one whose length is nearest to the excess.
pub(super) fn shorten(sections: &mut [ComposedSection], target: usize) {
    let mut total: usize = sections.iter().map(ComposedSection::word_count).sum();
    while total > target + target / 50 {
        let excess = total - target;
        let paragraphs = sections.iter().flat_map(|section| &section.blocks).filter(|block| block.is_paragraph());
        let longest = paragraphs.map(|block| block.sentences.len()).max().unwrap_or(0);
        if longest <= 1 {
            return;
        }
        let least = if longest > 3 { 3 } else { longest - 1 };
        let candidates = sections.iter_mut().flat_map(|section| &mut section.blocks);
        let closest =
            candidates.filter(|block| block.is_paragraph() && block.sentences.len() > least).min_by_key(|block| {
                block.sentences.last().map_or(usize::MAX, |last| last.unicode_words().count().abs_diff(excess))
            });
        let Some(block) = closest else { return };
        total -= block.sentences.pop().map_or(0, |last| last.unicode_words().count());
    }
}
