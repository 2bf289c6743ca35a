//! Finished sections of the body and their Markdown. `compose` decides their content.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::generation::assemble::escape;

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
