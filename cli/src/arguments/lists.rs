//! The options of the lists.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::Moment;

/// Number of items that are listed unless `--limit` or `--all` says otherwise.
const DEFAULT_LIMIT: usize = 100;

/// The part of a list that is printed.
#[derive(Debug, Args)]
pub(crate) struct Paging {
    /// At most this many; by default 100
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// List everything
    #[arg(long, conflicts_with = "limit")]
    all: bool,
    /// Continue where an earlier list ended, with the token that it printed and the same filters
    #[arg(long, value_name = "TOKEN", allow_hyphen_values = true)]
    pub(crate) page_token: Option<String>,
}

impl Paging {
    /// Returns the maximum number of items. An export is complete unless a limit is given.
    pub(crate) fn limit(&self, is_export: bool) -> usize {
        let unlimited = if self.all || is_export { usize::MAX } else { DEFAULT_LIMIT };
        self.limit.map_or(unlimited, |limit| usize::try_from(limit).unwrap_or(usize::MAX))
    }
}

/// The articles to list.
#[derive(Debug, Args)]
pub(crate) struct Articles {
    /// Only articles in this state
    #[arg(long, value_name = "STATE", value_parser = ["draft", "scheduled", "published", "archived"])]
    pub(crate) status: Option<String>,
    /// Only articles changed since this time: 2026-11-02, 2026-11-02T08:00:00Z, or 7d for seven days ago
    #[arg(long, value_name = "TIME", value_parser = Moment::parse)]
    pub(crate) since: Option<Moment>,
    /// Only articles of this website; by default of all websites
    #[arg(long, value_name = "ID")]
    pub(crate) website_id: Option<String>,
    #[command(flatten)]
    pub(crate) paging: Paging,
}

/// The states of a scheduled post, in chronological order.
const POST_STATES: [&str; 8] =
    ["queued", "generating", "ready", "scheduled", "publishing", "published", "failed", "cancelled"];

/// The scheduled posts to list.
#[derive(Debug, Args)]
pub(crate) struct Posts {
    /// Only scheduled posts in this state
    #[arg(long, value_name = "STATE", value_parser = POST_STATES)]
    pub(crate) status: Option<String>,
    /// Only scheduled posts of this website; by default of all websites
    #[arg(long, value_name = "ID")]
    pub(crate) website_id: Option<String>,
    #[command(flatten)]
    pub(crate) paging: Paging,
}

/// The leads to list, and how.
#[derive(Debug, Args)]
pub(crate) struct Leads {
    /// Show names, addresses, messages and the other personal data
    #[arg(long)]
    pub(crate) show_personal: bool,
    /// Print all data as CSV for spreadsheets; a ' is added before texts that a spreadsheet could take for a formula
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
    #[command(flatten)]
    pub(crate) paging: Paging,
    /// The file to write, replaced when the list is complete; by default standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}
