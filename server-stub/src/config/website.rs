//! The options of the commands about websites.

use clap::{Args, Subcommand};

use super::Database;
use super::retention::{self, LeadRetention};

#[derive(Debug, Subcommand)]
pub(crate) enum Website {
    /// Make a website, active.
    Create(CreateWebsite),
    /// Show the account's newest websites, at most 100.
    List(ListWebsites),
    /// Change how a website is kept.
    Set(SetWebsite),
}

#[derive(Debug, Args)]
pub(crate) struct CreateWebsite {
    #[command(flatten)]
    pub(crate) database: Database,
    /// Name or id of the account.
    #[arg(long)]
    pub(crate) account: String,
    /// 1 to 120 characters.
    #[arg(long)]
    pub(crate) name: String,
    /// Where the website is: https://…
    #[arg(long)]
    pub(crate) url: String,
    /// Language of its articles.
    #[arg(long, default_value = "en")]
    pub(crate) language: String,
    /// IANA name.
    #[arg(long, default_value = "UTC")]
    pub(crate) time_zone: String,
    /// Keep finished articles until they are approved.
    #[arg(long)]
    pub(crate) manual_publish: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ListWebsites {
    #[command(flatten)]
    pub(crate) database: Database,
    /// Name or id of the account.
    #[arg(long)]
    pub(crate) account: String,
    /// Print one JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SetWebsite {
    #[command(flatten)]
    pub(crate) database: Database,
    /// Name or id of the account.
    #[arg(long)]
    pub(crate) account: String,
    /// Id of the website: web_…
    #[arg(long)]
    pub(crate) id: String,
    /// How long its leads are kept, such as 90d, or `forever`; older ones are erased with all that was made of them.
    #[arg(long, value_name = "DURATION", value_parser = retention::of_leads)]
    pub(crate) lead_retention: LeadRetention,
}
