//! The options of the commands about voices in files.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum Voice {
    /// Say where a text breaks the rules of a voice; ends with 1 if it does.
    Check(CheckVoice),
    /// Propose a voice by what texts have in common, with the evidence for each rule.
    Learn(LearnVoice),
    /// Print the built-in voice as a file to begin with, each member explained.
    Template,
}

#[derive(Debug, Args)]
pub(crate) struct CheckVoice {
    /// Markdown or plain text, at most 1 MiB each; `-` reads standard input. Front matter is left out.
    #[arg(required = true, value_name = "FILE", num_args = 1..=50)]
    pub(crate) files: Vec<PathBuf>,
    /// The voice to keep: a TOML file, as `voice template` and `voice learn` print it.
    #[arg(long, value_name = "FILE")]
    pub(crate) voice: PathBuf,
    /// Language of the text, a tag such as `en` or `en-GB`.
    #[arg(long, default_value = "en")]
    pub(crate) language: String,
    /// Print one JSON object for each broken rule, a line each.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LearnVoice {
    /// Texts that have the voice: Markdown or plain text, at most 1 MiB each. Front matter is left out.
    #[arg(required = true, value_name = "FILE", num_args = 1..=50)]
    pub(crate) files: Vec<PathBuf>,
    /// Language of the texts, a tag such as `en` or `en-GB`.
    #[arg(long, default_value = "en")]
    pub(crate) language: String,
    /// Name of the voice, 1 to 80 characters.
    #[arg(long, default_value = "Learnt voice")]
    pub(crate) name: String,
    /// Write to this file instead of standard output. It appears when it is complete.
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
