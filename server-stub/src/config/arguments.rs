//! The commands and their options. The files `website`, `key`, `hook`, `lead` and `user` contain the commands that manage
//! these.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
#[cfg(feature = "failpoints")]
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use ipnet::IpNet;

use crate::app::RateLimitPolicy;
use crate::domain::clock::Timestamp;
use crate::domain::key::Quota;
use crate::domain::public_url::PublicUrl;
use crate::domain::retry_schedule::RetrySchedule;
#[cfg(feature = "failpoints")]
use crate::failpoints;
use crate::storage::{MAX_CONNECTIONS, MIN_CONNECTIONS, SecretKey, SecretKeySource};

use super::{Backup, Hook, Key, Lead, PublishRoot, Retain, User, Voice, Website, Write, Writer, WriterOptions};

/// Default folder of the database. The program creates it when needed.
pub(crate) const DEFAULT_FOLDER: &str = ".contentgen";
pub(crate) const DEFAULT_DATABASE: &str = "sqlite:.contentgen/server.db";

/// Reference server of the Content Generation Service API.
#[derive(Debug, Parser)]
#[command(name = "contentgen-server", version, about)]
pub(crate) struct Arguments {
    /// Which log lines to write to standard error, such as `info`, `debug` or `contentgen_server_stub::hooks=debug`.
    #[arg(long, global = true, env = "CONTENTGEN_LOG", default_value = "info", value_name = "FILTER")]
    pub(crate) log: String,
    /// How log lines look.
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
    /// Copy the SQLite database to a new file, also while a server works on it.
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

#[derive(Debug, Clone, Args)]
pub(crate) struct Database {
    /// Where the state is kept: `sqlite:PATH` or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
    #[arg(long, env = "CONTENTGEN_DATABASE", default_value = DEFAULT_DATABASE, value_name = "ADDRESS", hide_env_values = true)]
    pub(crate) database: String,
    #[command(flatten)]
    pub(crate) secret_key: SecretKeyOptions,
}

/// Where the key is that seals secrets in the database.
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
    /// The source that was given; the key itself wins over a file.
    pub(crate) fn source(&self) -> Option<SecretKeySource> {
        let file = || self.secret_key_file.clone().map(SecretKeySource::File);
        self.secret_key.clone().map(SecretKeySource::Given).or_else(file)
    }
}

/// The operator's list of addresses for hooks: the server sends by it, and `hook create` registers by it.
#[derive(Debug, Clone, Args)]
pub(crate) struct HookAddresses {
    /// Addresses inside that hooks may go to, also over plain http and on any port, such as `10.1.0.0/16`; repeatable, at
    /// most 64 [default: none]
    #[arg(long = "hook-allow-cidr", env = "CONTENTGEN_HOOK_ALLOW_CIDRS", value_name = "CIDR", value_delimiter = ',',
        value_parser = cidr)]
    pub(crate) listed: Vec<IpNet>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Serve {
    /// Address of the API, the hosted site and the dashboard; port 0 takes any free one.
    #[arg(long, env = "CONTENTGEN_LISTEN", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    /// Address where metrics are scraped (`GET /metrics`); port 0 takes any free one [default: nowhere]
    #[arg(long, env = "CONTENTGEN_METRICS_LISTEN", value_name = "ADDRESS")]
    pub(crate) metrics_listen: Option<SocketAddr>,
    /// Where the state is kept: `sqlite:PATH` or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`
    /// [default: sqlite:.contentgen/server.db; with --demo a temporary one]
    #[arg(long, env = "CONTENTGEN_DATABASE", value_name = "ADDRESS", hide_env_values = true)]
    pub(crate) database: Option<String>,
    /// Connections of this process to PostgreSQL.
    #[arg(long, env = "CONTENTGEN_DATABASE_CONNECTIONS", default_value = "19", value_name = "NUMBER",
        value_parser = clap::value_parser!(u16).range(i64::from(MIN_CONNECTIONS)..=i64::from(MAX_CONNECTIONS)))]
    pub(crate) database_connections: u16,
    #[command(flatten)]
    pub(crate) secret_key: SecretKeyOptions,
    /// Where readers reach the hosted site and callers the API, with the path that a proxy strips, if any [default: the
    /// listening address]
    #[arg(long, env = "CONTENTGEN_PUBLIC_URL", value_name = "URL")]
    pub(crate) public_url: Option<PublicUrl>,
    /// What this process does.
    #[arg(long, env = "CONTENTGEN_ROLES", value_delimiter = ',', default_value = "api,worker,dashboard")]
    pub(crate) roles: Vec<Role>,
    /// Set up two accounts to try the service with, lift the quotas, allow hooks to this machine.
    #[arg(long)]
    pub(crate) demo: bool,
    /// Write a JSON file with address and accounts once requests are accepted.
    #[arg(long, value_name = "PATH")]
    pub(crate) ready_file: Option<PathBuf>,
    /// Quota of a key that has none of its own, such as `generate=20/60s`, `api=120/60s` or `capture=10/60s` (per address).
    #[arg(long = "quota", value_name = "NAME=REQUESTS/SECONDS", value_parser = served_quota)]
    pub(crate) quotas: Vec<ServedQuota>,
    /// Unfinished jobs per website [default: 100]
    #[arg(long, env = "CONTENTGEN_QUEUE_PER_WEBSITE", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) queue_per_website: Option<u32>,
    /// Unfinished jobs per account [default: 500]
    #[arg(long, env = "CONTENTGEN_QUEUE_PER_ACCOUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) queue_per_account: Option<u32>,
    /// Articles written at the same time [default: one per core, and 8 by a language model]
    #[arg(long, env = "CONTENTGEN_CONCURRENCY", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) concurrency: Option<u16>,
    #[command(flatten)]
    pub(crate) writer: WriterOptions,
    /// Allow hooks to this machine.
    #[arg(long, env = "CONTENTGEN_ALLOW_LOOPBACK_HOOKS")]
    pub(crate) allow_loopback_hooks: bool,
    /// Proxies before the server whose `X-Forwarded-For` tells where a request came from, such as `127.0.0.1/32`; repeatable, at
    /// most 64 [default: none]
    #[arg(long = "trusted-proxy", env = "CONTENTGEN_TRUSTED_PROXIES", value_name = "CIDR", value_delimiter = ',',
        value_parser = cidr)]
    pub(crate) trusted_proxies: Vec<IpNet>,
    #[command(flatten)]
    pub(crate) hook_addresses: HookAddresses,
    /// Seconds that an attempt to deliver a hook may take, the answer's body included.
    #[arg(long, env = "CONTENTGEN_HOOK_TIMEOUT", default_value = "15", value_name = "SECONDS",
        value_parser = clap::value_parser!(u16).range(5..=30))]
    pub(crate) hook_timeout: u16,
    /// Pauses before the second and later attempts to deliver a hook, 1 to 20 of them, from 10ms to 7d each [default:
    /// 5s,5m,30m,2h,5h,10h,14h,20h,24h]
    #[arg(long, env = "CONTENTGEN_HOOK_RETRY_SCHEDULE", value_name = "PAUSE,…")]
    pub(crate) hook_retry_schedule: Option<RetrySchedule>,
    /// Hooks a second to one endpoint [default: 20, with --demo 1000]
    #[arg(long, env = "CONTENTGEN_HOOK_RATE", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) hook_rate: Option<u32>,
    /// Hooks on their way at a time.
    #[arg(long, env = "CONTENTGEN_HOOK_CONCURRENCY", default_value = "64",
        value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) hook_concurrency: u32,
    /// Hooks on their way to one endpoint at a time.
    #[arg(long, env = "CONTENTGEN_HOOK_CONCURRENCY_PER_ENDPOINT", default_value = "5",
        value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) hook_concurrency_per_endpoint: u32,
    #[command(flatten)]
    pub(crate) publish_root: PublishRoot,
    #[command(flatten)]
    pub(crate) retain: Retain,
    /// Ways to crash and to hurry, for tests.
    #[cfg(feature = "failpoints")]
    #[command(flatten)]
    pub(crate) failpoints: Failpoints,
}

/// What a test plans for this process. Hidden: these are no options of a server.
#[cfg(feature = "failpoints")]
#[derive(Debug, Clone, Args)]
pub(crate) struct Failpoints {
    /// Where to end the process.
    #[arg(long, hide = true, env = "CONTENTGEN_FAILPOINT")]
    failpoint: Option<failpoints::Stop>,
    /// How long writing takes.
    #[arg(long, hide = true, env = "CONTENTGEN_FAILPOINT_WORK_MS")]
    failpoint_work_ms: Option<failpoints::WorkTimes>,
    /// How long commits take.
    #[arg(long, hide = true, env = "CONTENTGEN_FAILPOINT_COMMIT_MS")]
    failpoint_commit_ms: Option<failpoints::WorkTimes>,
    /// How long claims hold.
    #[arg(long, hide = true, env = "CONTENTGEN_FAILPOINT_LEASE_MS", value_parser = clap::value_parser!(u64).range(6..))]
    failpoint_lease_ms: Option<u64>,
    /// How often a job's claim is renewed.
    #[arg(long, hide = true, env = "CONTENTGEN_FAILPOINT_RENEWAL_MS", value_parser = clap::value_parser!(u64).range(1..))]
    failpoint_renewal_ms: Option<u64>,
    /// How the wall clock jumps.
    #[arg(long, hide = true, env = "CONTENTGEN_FAILPOINT_CLOCK", allow_hyphen_values = true)]
    failpoint_clock: Option<failpoints::ClockJumps>,
}

#[cfg(feature = "failpoints")]
impl From<Failpoints> for failpoints::Plan {
    fn from(read: Failpoints) -> Self {
        Self {
            stop: read.failpoint,
            work: read.failpoint_work_ms,
            commit: read.failpoint_commit_ms,
            lease: read.failpoint_lease_ms.map(Duration::from_millis),
            renewal: read.failpoint_renewal_ms.map(Duration::from_millis),
            clock: read.failpoint_clock,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Role {
    /// The API and the hosted site.
    Api,
    /// The pages on which users manage their account.
    Dashboard,
    /// Writing, publishing, sending hooks.
    Worker,
}

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
}

/// A quota of the server by what it is for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ServedQuota {
    Key(RateLimitPolicy, Quota),
    Capture(Quota),
}

fn served_quota(text: &str) -> Result<ServedQuota, String> {
    match text.split_once('=') {
        Some(("capture", amount)) => Ok(ServedQuota::Capture(quota(amount)?)),
        _ => key_quota(text).map(|(policy, quota)| ServedQuota::Key(policy, quota)),
    }
}

pub(super) fn key_quota(text: &str) -> Result<(RateLimitPolicy, Quota), String> {
    match text.split_once('=') {
        Some(("generate", amount)) => Ok((RateLimitPolicy::Generate, quota(amount)?)),
        Some(("api", amount)) => Ok((RateLimitPolicy::Api, quota(amount)?)),
        _ => Err("write it like generate=2/2s or api=5/2s".to_owned()),
    }
}

fn quota(text: &str) -> Result<Quota, String> {
    let read = || {
        let (requests, window) = text.split_once('/')?;
        let requests = u32::from_str(requests).ok()?;
        let window_seconds = u32::from_str(window.strip_suffix('s').unwrap_or(window)).ok()?;
        (requests > 0 && window_seconds > 0).then_some(Quota { requests, window_seconds })
    };
    read().ok_or_else(|| "write requests and seconds like 20/60s, both at least 1".to_owned())
}

fn cidr(text: &str) -> Result<IpNet, String> {
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
