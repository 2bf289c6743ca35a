//! The options of the commands about accounts and their keys, leads and users.

use std::str::FromStr as _;

use clap::{Args, Subcommand};

use super::arguments::moment;
use super::{Database, List, Owner};
use crate::app::RateLimitPolicy;
use crate::domain::clock::Timestamp;
use crate::domain::key::{ApiScope, Quota};
use crate::domain::public_url::PublicUrl;

#[derive(Debug, Subcommand)]
pub(crate) enum Account {
    /// Make an account.
    Create {
        #[command(flatten)]
        database: Database,
        /// Unique, 1 to 80 characters.
        #[arg(long)]
        name: String,
    },
    /// Delete an account with its websites, users, keys and all other records. It is invisible at once; the running server removes
    /// the records.
    Delete {
        #[command(flatten)]
        owner: Owner,
        /// Name of the account, to confirm that.
        #[arg(long)]
        confirm: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Key {
    /// Make a platform key and print it. It is shown only once.
    Create(CreateKey),
    /// Show the account's newest keys, at most 100, without their secrets.
    List(List),
    /// Revoke a key for ever, from the next request on.
    Revoke {
        #[command(flatten)]
        owner: Owner,
        /// Id of the key: key_…
        #[arg(long)]
        id: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct CreateKey {
    #[command(flatten)]
    pub(crate) owner: Owner,
    /// 1 to 80 characters.
    #[arg(long)]
    pub(crate) name: String,
    /// API scope of the key, repeatable [default: everything]
    #[arg(long = "scope", value_parser = scope)]
    pub(crate) scopes: Vec<ApiScope>,
    /// Website that the key may use, repeatable [default: all of the account]
    #[arg(long = "website")]
    pub(crate) websites: Vec<String>,
    /// Quota of this key, such as `generate=2/2s` or `api=5/2s`, repeatable.
    #[arg(long = "quota", value_name = "NAME=REQUESTS/SECONDS", value_parser = key_quota)]
    pub(crate) quotas: Vec<(RateLimitPolicy, Quota)>,
    /// Time when the key expires, RFC 3339 with a zone.
    #[arg(long, value_parser = moment)]
    pub(crate) expires: Option<Timestamp>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Lead {
    /// Print all stored data about a person: one JSON object a line for each lead, with the webhook endpoints that received it.
    Export {
        #[command(flatten)]
        owner: Owner,
        /// The person's e-mail address.
        #[arg(long)]
        email: String,
    },
    /// Erase a lead, or all leads of a person, with their events, the deliveries of these and the receivers' responses.
    Erase {
        #[command(flatten)]
        owner: Owner,
        #[command(flatten)]
        which: WhichLeads,
    },
}

/// One lead, or those of a person.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct WhichLeads {
    /// Id of the lead: lead_… [default: none]
    #[arg(long)]
    pub(crate) id: Option<String>,
    /// The person's e-mail address [default: none]
    #[arg(long)]
    pub(crate) email: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum User {
    /// Add a user to an account and print a one-time link to sign in with.
    Create(OneUser),
    /// Print a one-time link for a user who has no password or has forgotten it.
    Link(OneUser),
}

#[derive(Debug, Args)]
pub(crate) struct OneUser {
    #[command(flatten)]
    pub(crate) owner: Owner,
    /// E-mail address to sign in with; unique in the account.
    #[arg(long)]
    pub(crate) email: String,
    /// Public address of the dashboard.
    #[arg(long, env = "CONTENTGEN_PUBLIC_URL", value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(crate) public_url: PublicUrl,
}

fn scope(text: &str) -> Result<ApiScope, String> {
    let known = || ApiScope::ALL.map(ApiScope::as_str).join(", ");
    ApiScope::parse(text).ok_or_else(|| format!("the scopes are {}", known()))
}

pub(super) fn key_quota(text: &str) -> Result<(RateLimitPolicy, Quota), String> {
    match text.split_once('=') {
        Some(("generate", amount)) => Ok((RateLimitPolicy::Generate, quota(amount)?)),
        Some(("api", amount)) => Ok((RateLimitPolicy::Api, quota(amount)?)),
        _ => Err("write it like generate=2/2s or api=5/2s".to_owned()),
    }
}

pub(super) fn quota(text: &str) -> Result<Quota, String> {
    let read = || {
        let (requests, window) = text.split_once('/')?;
        let requests = u32::from_str(requests).ok()?;
        let window_seconds = u32::from_str(window.strip_suffix('s').unwrap_or(window)).ok()?;
        (requests > 0 && window_seconds > 0).then_some(Quota { requests, window_seconds })
    };
    read().ok_or_else(|| "write requests and seconds like 20/60s, both at least 1".to_owned())
}
