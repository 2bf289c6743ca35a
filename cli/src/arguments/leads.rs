//! The options of `leads`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::Moment;

/// Which leads to list, and how.
#[derive(Debug, Args)]
pub(crate) struct Leads {
    /// Print CSV for spreadsheets; a ' is added before texts that a spreadsheet could take for a formula
    #[arg(long)]
    pub(crate) csv: bool,
    /// With --csv: leave all texts unchanged, for programs; a spreadsheet could run them as formulas
    #[arg(long, requires = "csv")]
    pub(crate) raw: bool,
    /// Only leads captured since this time: 2026-11-02, 2026-11-02T08:00:00Z, or 7d for seven days ago
    #[arg(long, value_name = "TIME", value_parser = Moment::parse)]
    pub(crate) since: Option<Moment>,
    /// Only leads captured before this time
    #[arg(long, value_name = "TIME", value_parser = Moment::parse)]
    pub(crate) until: Option<Moment>,
    /// Only leads captured or confirmed since this time
    #[arg(long, value_name = "TIME", value_parser = Moment::parse)]
    pub(crate) updated_since: Option<Moment>,
    /// Only leads captured on this article
    #[arg(long, value_name = "ID")]
    pub(crate) article_id: Option<String>,
    /// Only leads of this website; by default of all websites
    #[arg(long, value_name = "ID")]
    pub(crate) website_id: Option<String>,
    /// At most this many leads, newest first
    #[arg(long, value_name = "NUMBER")]
    pub(crate) limit: Option<usize>,
    /// The file to write, replaced when the list is complete; by default standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}
