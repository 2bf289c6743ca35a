//! The options of `write`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::WriterOptions;
use crate::domain::public_url::PublicUrl;

#[derive(Debug, Args)]
pub(crate) struct Write {
    /// What to write about, 1 to 1000 characters; `-` reads it from standard input.
    #[arg(long)]
    pub(crate) topic: String,
    /// The voice to keep: a TOML file, as `voice template` and `voice learn` print it [default: the built-in voice]
    #[arg(long, value_name = "FILE")]
    pub(crate) voice: Option<PathBuf>,
    /// A phrase that the text must contain; repeatable, at most 10.
    #[arg(long = "keyword", alias = "keywords", value_name = "PHRASE", value_delimiter = ',')]
    pub(crate) keywords: Vec<String>,
    /// Length in words, 200 to 5000.
    #[arg(long, value_name = "NUMBER", default_value_t = 1200)]
    pub(crate) words: u32,
    /// Language of the text, a tag such as `en` or `en-GB`.
    #[arg(long, default_value = "en")]
    pub(crate) language: String,
    /// Name of the website that the text is for.
    #[arg(long, value_name = "NAME", default_value = "Example")]
    pub(crate) website_name: String,
    /// Address of the website that the text is for.
    #[arg(long, value_name = "URL", default_value = "https://example.com")]
    pub(crate) website_url: PublicUrl,
    /// What is printed.
    #[arg(long, default_value = "markdown")]
    pub(crate) format: ArticleFormat,
    /// Write to this file instead of standard output. It appears when it is complete.
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) writer: WriterOptions,
}

/// How an article is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ArticleFormat {
    /// Title, text and questions in `CommonMark` with tables.
    Markdown,
    /// The same as an HTML element `article`.
    Html,
    /// All that the article has in the API, with the report on its voice.
    Json,
}
