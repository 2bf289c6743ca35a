//! The options of `article`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

/// Which article to print, and how.
#[derive(Debug, Args)]
pub(crate) struct Article {
    /// The id of the article, or of the job that wrote it
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// Format of the printed article; --json prints all fields
    #[arg(long, value_enum, default_value_t = Format::Markdown)]
    pub(crate) format: Format,
    /// The file to write, replaced when the article is complete; by default standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}

/// What of an article is printed.
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
