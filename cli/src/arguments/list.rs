//! The options of the lists of articles and scheduled posts.

use clap::Args;

use super::Moment;

/// The filters of the list of articles.
#[derive(Debug, Args)]
pub(crate) struct Articles {
    /// Only articles in this state
    #[arg(long, value_name = "STATE", value_parser = ["draft", "scheduled", "published", "archived"])]
    pub(crate) status: Option<String>,
    /// Only articles changed since this time: 2026-11-02, 2026-11-02T08:00:00Z, or 7d for seven days ago
    #[arg(long, value_name = "TIME", value_parser = Moment::parse)]
    pub(crate) since: Option<Moment>,
    #[command(flatten)]
    pub(crate) list: List,
}

/// The filters of the list of scheduled posts.
#[derive(Debug, Args)]
pub(crate) struct Posts {
    /// Only scheduled posts in this state
    #[arg(long, value_name = "STATE", value_parser = POST_STATES)]
    pub(crate) status: Option<String>,
    #[command(flatten)]
    pub(crate) list: List,
}

/// The states of a scheduled post, in chronological order.
const POST_STATES: [&str; 8] =
    ["queued", "generating", "ready", "scheduled", "publishing", "published", "failed", "cancelled"];

/// The options of both lists.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only of this website; by default of all websites
    #[arg(long, value_name = "ID")]
    pub(crate) website_id: Option<String>,
    /// At most this many, newest first
    #[arg(long, value_name = "NUMBER")]
    pub(crate) limit: Option<usize>,
}
