//! The options of the commands about platform keys.

use clap::{Args, Subcommand};

use super::Database;
use super::arguments::{key_quota, moment};
use crate::app::RateLimitPolicy;
use crate::domain::clock::Timestamp;
use crate::domain::key::{Permission, Quota};

#[derive(Debug, Subcommand)]
pub(crate) enum Key {
    /// Make a platform key and print it, this once.
    Create(CreateKey),
    /// Show the account's newest keys, at most 100, without what makes them keys.
    List(ListKeys),
    /// Refuse a key from the next request on, for ever.
    Revoke(RevokeKey),
}

#[derive(Debug, Args)]
pub(crate) struct CreateKey {
    #[command(flatten)]
    pub(crate) database: Database,
    /// Name or id of the account.
    #[arg(long)]
    pub(crate) account: String,
    /// 1 to 80 characters.
    #[arg(long)]
    pub(crate) name: String,
    /// What it may be used for, repeatable [default: everything]
    #[arg(long = "scope", value_parser = scope)]
    pub(crate) scopes: Vec<Permission>,
    /// A website it is restricted to, repeatable [default: all of the account]
    #[arg(long = "website")]
    pub(crate) websites: Vec<String>,
    /// A quota of its own, such as `generate=2/2s` or `api=5/2s`, repeatable.
    #[arg(long = "quota", value_name = "NAME=REQUESTS/SECONDS", value_parser = key_quota)]
    pub(crate) quotas: Vec<(RateLimitPolicy, Quota)>,
    /// From when on it is refused, RFC 3339 with a zone.
    #[arg(long, value_parser = moment)]
    pub(crate) expires: Option<Timestamp>,
}

#[derive(Debug, Args)]
pub(crate) struct ListKeys {
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
pub(crate) struct RevokeKey {
    #[command(flatten)]
    pub(crate) database: Database,
    /// Name or id of the account.
    #[arg(long)]
    pub(crate) account: String,
    /// Id of the key: key_…
    #[arg(long)]
    pub(crate) id: String,
}

fn scope(text: &str) -> Result<Permission, String> {
    let known = || Permission::ALL.map(Permission::as_str).join(", ");
    Permission::parse(text).ok_or_else(|| format!("the scopes are {}", known()))
}
