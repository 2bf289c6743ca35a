//! The options of `generate`: all settings of a request.

use std::path::PathBuf;
use std::time::Duration;

use chrono::{DateTime, Utc};
use clap::{Args, ValueHint};

use super::{Format, duration, metadata, moment};

/// The article to write, its website, and how to wait for it.
#[derive(Debug, Args)]
pub(crate) struct Generate {
    /// Topic of the article, in free text; `-` reads it from standard input
    #[arg(value_name = "TOPIC", required_unless_present = "topic_file", conflicts_with = "topic_file")]
    pub(crate) topic: Option<String>,
    /// Read the topic from this file; `-` is standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) topic_file: Option<PathBuf>,
    /// Keywords that the article should use, separated by commas; may be given several times
    #[arg(long, value_name = "WORDS", value_delimiter = ',')]
    pub(crate) keywords: Vec<String>,
    /// How many words the article should have, 200 to 5000
    #[arg(long, value_name = "NUMBER")]
    pub(crate) words: Option<u32>,
    /// Language of the article, such as `en` or `pt-BR`; by default that of the website
    #[arg(long, value_name = "TAG")]
    pub(crate) language: Option<String>,
    /// A label of your own, returned in the job, the article and webhooks; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = metadata::parse)]
    pub(crate) metadata: Vec<(String, String)>,
    /// Idempotency key: repeating the command with the same key queues one article; by default a new key, which is printed
    #[arg(long, value_name = "KEY", allow_hyphen_values = true)]
    pub(crate) idempotency_key: Option<String>,
    /// When to publish, such as 2026-11-02T08:00:00Z; by default as soon as the article is ready
    #[arg(long, value_name = "TIME", value_parser = moment::parse_time)]
    pub(crate) publish_at: Option<DateTime<Utc>>,
    /// Whether to publish without waiting for approval; by default the website's setting
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) auto_publish: Option<bool>,
    /// The website to write for; by default that of `CONTENTGEN_WEBSITE_ID`, or the first active one
    #[arg(long, value_name = "ID")]
    pub(crate) website_id: Option<String>,
    /// Wait until the article is written, and print it
    #[arg(long)]
    pub(crate) wait: bool,
    /// With --wait: how long to wait, such as 90s or 5m
    #[arg(long, value_name = "DURATION", default_value = "15m", value_parser = duration::parse, requires = "wait")]
    pub(crate) timeout: Duration,
    /// With --wait: format of the printed article; --json prints all fields
    #[arg(long, value_enum, default_value_t = Format::Markdown, requires = "wait")]
    pub(crate) format: Format,
    /// With --wait: the file to write, replaced when the article is complete; by default standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "wait")]
    pub(crate) output: Option<PathBuf>,
}
