//! The commands, and the options and values that several of them share.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use ipnet::IpNet;

use super::{Account, Hook, Key, Lead, Serve, User, Voice, Website, Write, Writer};
use crate::domain::clock::Timestamp;
use crate::domain::duration;
use crate::storage::{SecretKey, SecretKeySource};

/// Default folder of the database. The program creates it when needed.
pub(crate) const DEFAULT_FOLDER: &str = ".contentgen";
pub(crate) const DEFAULT_DATABASE: &str = "sqlite:.contentgen/server.db";

/// Reference server of the Content Generation Service API.
#[derive(Debug, Parser)]
#[command(name = "contentgen-server", version, about)]
pub(crate) struct Arguments {
    /// Filter of the log lines on standard error, such as `info`, `debug` or `contentgen_server_stub::hooks=debug`.
    #[arg(long, global = true, env = "CONTENTGEN_LOG", default_value = "info", value_name = "FILTER")]
    pub(crate) log: String,
    /// Format of the log lines.
    #[arg(long, global = true, env = "CONTENTGEN_LOG_FORMAT", default_value = "text")]
    pub(crate) log_format: LogFormat,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the server until it is told to stop (SIGTERM or SIGINT).
    Serve(Box<Serve>),
    /// Bring the database's schema up to date.
    Migrate(Database),
    /// Copy the SQLite database to a new file, also while a server uses it.
    Backup(Backup),
    /// Accounts.
    #[command(subcommand)]
    Account(Account),
    /// Websites.
    #[command(subcommand)]
    Website(Website),
    /// Platform keys.
    #[command(subcommand)]
    Key(Key),
    /// Hook endpoints.
    #[command(subcommand)]
    Hook(Hook),
    /// Leads.
    #[command(subcommand)]
    Lead(Lead),
    /// Users of the dashboard.
    #[command(subcommand)]
    User(User),
    /// Write an article and print it. Needs neither a server nor a database.
    Write(Box<Write>),
    /// Voices in files: check a text, learn from texts.
    #[command(subcommand)]
    Voice(Voice),
    /// The writer of articles.
    #[command(subcommand)]
    Writer(Writer),
    /// Print the OpenAPI document.
    Openapi,
}

#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// Database to copy: `sqlite:PATH`. A server may use it meanwhile.
    #[arg(long, env = "CONTENTGEN_DATABASE", default_value = DEFAULT_DATABASE, value_name = "ADDRESS", hide_env_values = true)]
    pub(crate) database: String,
    /// File to write. It must not exist yet.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Database {
    /// Address of the database: `sqlite:PATH` or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
    #[arg(long, env = "CONTENTGEN_DATABASE", default_value = DEFAULT_DATABASE, value_name = "ADDRESS", hide_env_values = true)]
    pub(crate) database: String,
    #[command(flatten)]
    pub(crate) secret_key: SecretKeyOptions,
}

/// Location of the key that encrypts secrets in the database.
#[derive(Debug, Clone, Args)]
pub(crate) struct SecretKeyOptions {
    /// File with the key for secrets in the database, made at the first start [default: the SQLite file with .key added, or
    /// contentgen.key for PostgreSQL]
    #[arg(long, env = "CONTENTGEN_SECRET_KEY_FILE", value_name = "PATH")]
    secret_key_file: Option<PathBuf>,
    /// The key itself, base64 of 32 bytes, in the environment only.
    #[arg(long, env = "CONTENTGEN_SECRET_KEY", hide = true, hide_env_values = true, value_parser = secret_key)]
    secret_key: Option<SecretKey>,
}

impl SecretKeyOptions {
    /// Returns the source that was given. The key itself takes precedence over a file.
    pub(crate) fn source(&self) -> Option<SecretKeySource> {
        let file = || self.secret_key_file.clone().map(SecretKeySource::File);
        self.secret_key.clone().map(SecretKeySource::Given).or_else(file)
    }
}

/// Database and account of a command.
#[derive(Debug, Args)]
pub(crate) struct Owner {
    #[command(flatten)]
    pub(crate) database: Database,
    /// Name or id of the account.
    #[arg(long)]
    pub(crate) account: String,
}

/// The options of a command that shows a list.
#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) owner: Owner,
    /// Print one JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The operator's list of addresses for hooks. It applies when the server sends and when `hook create` registers.
#[derive(Debug, Clone, Args)]
pub(crate) struct HookAddresses {
    /// Internal addresses that may receive hooks, also over plain http and on any port, such as `10.1.0.0/16`; repeatable, at
    /// most 64 [default: none]
    #[arg(long = "hook-allow-cidr", env = "CONTENTGEN_HOOK_ALLOW_CIDRS", value_name = "CIDR", value_delimiter = ',',
        value_parser = cidr)]
    pub(crate) listed: Vec<IpNet>,
}

pub(super) fn cidr(text: &str) -> Result<IpNet, String> {
    let net = text.trim().parse::<IpNet>().map(|net| net.trunc());
    net.map_err(|_| {
        "write it like 10.1.0.0/16 or fd00:1::/32; a single address needs /32 (IPv4) or /128 (IPv6)".to_owned()
    })
}

fn secret_key(text: &str) -> Result<SecretKey, String> {
    SecretKey::parse(text)
        .ok_or_else(|| "must be 32 bytes in base64, as `openssl rand -base64 32` prints them".to_owned())
}

pub(super) fn moment(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(text).ok_or_else(|| "write it like 2027-01-31T12:00:00Z".to_owned())
}

/// Parses a duration within these bounds.
pub(super) fn within(text: &str, shortest: Duration, longest: Duration) -> Result<Duration, String> {
    let duration = duration::parse(text).filter(|duration| (shortest..=longest).contains(duration));
    duration.ok_or_else(|| {
        format!("write a duration from {} to {}, such as 45d", duration::show(shortest), duration::show(longest))
    })
}
