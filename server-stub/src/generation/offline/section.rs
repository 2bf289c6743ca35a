//! Finished sections of the body and their Markdown; what is in them is decided in `compose`.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::generation::assemble::escape;

/// A section as it will be read; an empty heading marks the introduction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) heading: String,
    /// Sentences, by paragraph.
    pub(super) paragraphs: Vec<Vec<String>>,
    /// Rows of a table with one column, the first of them its head.
    pub(super) table: Vec<String>,
}

impl Section {
    pub(super) fn word_count(&self) -> usize {
        let texts = self.paragraphs.iter().flatten().chain(&self.table).chain([&self.heading]);
        texts.map(|text| word_count(text)).sum()
    }

    /// The body of the section, without its heading.
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

/// Words as an article's length counts them.
pub(super) fn word_count(text: &str) -> usize {
    text.unicode_words().count()
}
