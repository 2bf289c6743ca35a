//! The options of the commands about users.

use clap::{Args, Subcommand};

use super::Database;
use crate::domain::public_url::PublicUrl;

#[derive(Debug, Subcommand)]
pub(crate) enum User {
    /// Add a user to an account and print a one-time link to sign in with.
    Create(CreateUser),
    /// Print a one-time link for a user who has no password or has forgotten it.
    Link(LinkUser),
}

#[derive(Debug, Args)]
pub(crate) struct CreateUser {
    #[command(flatten)]
    pub(crate) database: Database,
    /// Name or id of the account.
    #[arg(long)]
    pub(crate) account: String,
    /// E-mail address to sign in with; each can be used once.
    #[arg(long)]
    pub(crate) email: String,
    /// Where the dashboard is reached.
    #[arg(long, env = "CONTENTGEN_PUBLIC_URL", value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(crate) public_url: PublicUrl,
}

#[derive(Debug, Args)]
pub(crate) struct LinkUser {
    #[command(flatten)]
    pub(crate) database: Database,
    /// Name or id of the account.
    #[arg(long)]
    pub(crate) account: String,
    /// The user's e-mail address.
    #[arg(long)]
    pub(crate) email: String,
    /// Where the dashboard is reached.
    #[arg(long, env = "CONTENTGEN_PUBLIC_URL", value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(crate) public_url: PublicUrl,
}
