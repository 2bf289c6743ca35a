//! The formats of a printed article.

use clap::ValueEnum;

/// Part of an article that is printed, and its markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Title, text, FAQ and URL as Markdown
    Markdown,
    /// The text as HTML, without a page around it
    Html,
    /// Title and text as plain text
    Text,
    /// Id, title, status, URL and length
    Summary,
}
