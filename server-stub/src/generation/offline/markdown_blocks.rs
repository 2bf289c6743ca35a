//! Finished blocks of text and their Markdown; which blocks there are is decided in `compose`.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::domain::voice::{reading_grade, sentences, syllables, words};
use crate::generation::assemble::escape;

/// What follows a block's sentences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tail {
    Nothing,
    Bullets(Vec<String>),
    Steps(Vec<String>),
    Table(Vec<Vec<String>>),
}

/// A paragraph with what belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) subheading: Option<String>,
    pub(super) sentences: Vec<String>,
    pub(super) tail: Tail,
}

impl Block {
    pub(super) fn paragraph(sentences: Vec<String>) -> Self {
        Self { subheading: None, sentences, tail: Tail::Nothing }
    }

    /// Runs of non-white-space that the block shows.
    pub(super) fn word_count(&self) -> usize {
        let count = |text: &String| text.unicode_words().count();
        let tail: usize = match &self.tail {
            Tail::Nothing => 0,
            Tail::Bullets(items) | Tail::Steps(items) => items.iter().map(count).sum(),
            Tail::Table(rows) => rows.iter().flatten().map(count).sum(),
        };
        self.sentences.iter().map(count).sum::<usize>() + self.subheading.as_ref().map_or(0, count) + tail
    }

    pub(super) fn is_paragraph(&self) -> bool {
        self.tail == Tail::Nothing
    }

    pub(super) fn markdown(&self) -> String {
        let mut markdown = String::new();
        if let Some(subheading) = &self.subheading {
            markdown.extend(["### ", &escape(subheading), "\n\n"]);
        }
        if !self.sentences.is_empty() {
            markdown.push_str(&escape(&self.sentences.join(" ")));
            markdown.push_str("\n\n");
        }
        match &self.tail {
            Tail::Nothing => {}
            Tail::Bullets(items) => {
                for item in items {
                    markdown.extend(["- ", &escape(item), "\n"]);
                }
                markdown.push('\n');
            }
            Tail::Steps(items) => {
                for (number, item) in (1_usize..).zip(items) {
                    markdown.extend([&number.to_string(), ". ", &escape(item), "\n"]);
                }
                markdown.push('\n');
            }
            Tail::Table(rows) => markdown.push_str(&table(rows)),
        }
        markdown
    }

    pub(super) fn grade(&self) -> Option<f64> {
        grade_of(self.prose().into_iter())
    }

    /// The texts whose sentences are measured.
    fn prose(&self) -> Vec<String> {
        let mut prose = vec![self.sentences.join(" ")];
        if let Tail::Bullets(items) | Tail::Steps(items) = &self.tail {
            prose.extend(items.iter().cloned());
        }
        prose
    }
}

/// A section as it will be read; an empty heading marks the introduction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ComposedSection {
    pub(super) heading: String,
    pub(super) blocks: Vec<Block>,
}

impl ComposedSection {
    pub(super) fn word_count(&self) -> usize {
        self.heading.unicode_words().count() + self.blocks.iter().map(Block::word_count).sum::<usize>()
    }

    pub(super) fn markdown(&self) -> String {
        self.blocks.iter().map(Block::markdown).collect()
    }
}

/// The reading grade of sections together with further prose.
pub(super) fn grade<'a>(sections: &[ComposedSection], further: impl Iterator<Item = &'a str>) -> Option<f64> {
    let own = sections.iter().flat_map(|section| &section.blocks).flat_map(Block::prose);
    grade_of(own.chain(further.map(str::to_owned)))
}

fn grade_of(texts: impl Iterator<Item = String>) -> Option<f64> {
    let (mut word_total, mut sentence_total, mut syllable_total) = (0, 0, 0);
    for text in texts {
        sentence_total += sentences(&text).len();
        for word in words(&text) {
            word_total += 1;
            syllable_total += syllables(word);
        }
    }
    reading_grade(word_total, sentence_total, syllable_total)
}

fn table(rows: &[Vec<String>]) -> String {
    let line =
        |cells: &[String]| format!("| {} |\n", cells.iter().map(|cell| escape(cell)).collect::<Vec<_>>().join(" | "));
    let mut markdown = String::new();
    for (at, row) in rows.iter().enumerate() {
        markdown.push_str(&line(row));
        if at == 0 {
            markdown.extend(["|", &" --- |".repeat(row.len()), "\n"]);
        }
    }
    markdown.push('\n');
    markdown
}
