//! The options of `leads`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::Moment;

/// Which leads to list, and how.
#[derive(Debug, Args)]
pub(crate) struct Leads {
    /// Write a table for spreadsheets; what one would take for a formula gets a ' before it
    #[arg(long)]
    pub(crate) csv: bool,
    /// With --csv: every text as it was sent, for programs; a spreadsheet may run what strangers wrote
    #[arg(long, requires = "csv")]
    pub(crate) raw: bool,
    /// Only leads captured since then: 2026-11-02, 2026-11-02T08:00:00Z, or a time ago such as 7d
    #[arg(long, value_name = "TIME", value_parser = Moment::parse)]
    pub(crate) since: Option<Moment>,
    /// Only leads captured before then
    #[arg(long, value_name = "TIME", value_parser = Moment::parse)]
    pub(crate) until: Option<Moment>,
    /// Only leads captured or confirmed since then
    #[arg(long, value_name = "TIME", value_parser = Moment::parse)]
    pub(crate) updated_since: Option<Moment>,
    /// Only leads captured on this article
    #[arg(long, value_name = "ID")]
    pub(crate) article_id: Option<String>,
    /// Only leads of this website; of all websites unless given
    #[arg(long, value_name = "ID")]
    pub(crate) website_id: Option<String>,
    /// At most this many leads, newest first
    #[arg(long, value_name = "NUMBER")]
    pub(crate) limit: Option<usize>,
    /// The file to write, replaced when the list is complete; standard output unless given
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}
