//! The options of `serve`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use ipnet::IpNet;

use super::account::{key_quota, quota};
use super::arguments::{cidr, within};
use super::{HookAddresses, SecretKeyOptions, WriterOptions};
use crate::app::RateLimitPolicy;
use crate::domain::duration;
use crate::domain::key::Quota;
use crate::domain::public_url::PublicUrl;
use crate::domain::retention::{
    MAX_IDEMPOTENCY_RETENTION, MAX_RETENTION, MIN_ATTEMPT_RETENTION, MIN_AUDIT_RETENTION, MIN_EVENT_RETENTION,
    MIN_IDEMPOTENCY_RETENTION, MIN_JOB_RETENTION, MIN_UNCONFIRMED_LEAD_RETENTION, Retention,
};
use crate::domain::retry_schedule::RetrySchedule;
#[cfg(feature = "failpoints")]
use crate::failpoints;
use crate::storage::{MAX_CONNECTIONS, MIN_CONNECTIONS};

#[derive(Debug, Clone, Args)]
pub(crate) struct Serve {
    /// Address of the API, the hosted site and the dashboard; port 0 takes any free one. A process with only the role `worker`
    /// shows its health there, and listens only with this option
    /// [default: 127.0.0.1:8080]
    #[arg(long, env = "CONTENTGEN_LISTEN", value_name = "ADDRESS")]
    pub(crate) listen: Option<SocketAddr>,
    /// Address of the metrics (`GET /metrics`); port 0 takes any free one [default: nowhere]
    #[arg(long, env = "CONTENTGEN_METRICS_LISTEN", value_name = "ADDRESS")]
    pub(crate) metrics_listen: Option<SocketAddr>,
    /// Address of the database: `sqlite:PATH` or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`
    /// [default: sqlite:.contentgen/server.db; with --demo a temporary one]
    #[arg(long, env = "CONTENTGEN_DATABASE", value_name = "ADDRESS", hide_env_values = true)]
    pub(crate) database: Option<String>,
    /// Maximum number of connections of this process to PostgreSQL.
    #[arg(long, env = "CONTENTGEN_DATABASE_CONNECTIONS", default_value = "19", value_name = "NUMBER",
        value_parser = clap::value_parser!(u16).range(i64::from(MIN_CONNECTIONS)..=i64::from(MAX_CONNECTIONS)))]
    pub(crate) database_connections: u16,
    #[command(flatten)]
    pub(crate) secret_key: SecretKeyOptions,
    /// Public address of the hosted site and the API, with the path that a proxy strips, if any; required unless --listen
    /// is a loopback address [default: the listening address]
    #[arg(long, env = "CONTENTGEN_PUBLIC_URL", value_name = "URL")]
    pub(crate) public_url: Option<PublicUrl>,
    /// Separate public address of hosted pages and their lead forms, on another host than --public-url, which it needs
    /// [default: --public-url]
    #[arg(long, env = "CONTENTGEN_SITE_URL", value_name = "URL")]
    pub(crate) site_url: Option<PublicUrl>,
    /// Roles of this process.
    #[arg(long, env = "CONTENTGEN_ROLES", value_delimiter = ',', default_value = "api,worker,dashboard")]
    pub(crate) roles: Vec<Role>,
    /// Create two accounts to try the service with, lift the quotas, and allow hooks to this machine.
    #[arg(long)]
    pub(crate) demo: bool,
    /// Write a JSON file with address and accounts once requests are accepted.
    #[arg(long, value_name = "PATH")]
    pub(crate) ready_file: Option<PathBuf>,
    /// Quota of keys without a separate one, such as `generate=20/60s`, `api=120/60s`, or of addresses, such as
    /// `capture=10/60s` (lead forms) or `pages=600/60s` (the hosted site).
    #[arg(long = "quota", value_name = "NAME=REQUESTS/SECONDS", value_parser = served_quota)]
    pub(crate) quotas: Vec<ServedQuota>,
    /// Unfinished jobs per website [default: 100]
    #[arg(long, env = "CONTENTGEN_QUEUE_PER_WEBSITE", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) queue_per_website: Option<u32>,
    /// Unfinished jobs per account [default: 500]
    #[arg(long, env = "CONTENTGEN_QUEUE_PER_ACCOUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) queue_per_account: Option<u32>,
    /// Articles that an account may queue in one day (UTC), also by users [default: no limit]
    #[arg(long, env = "CONTENTGEN_ARTICLES_PER_DAY", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) articles_per_day: Option<u32>,
    /// Articles written at the same time [default: one per core, and 8 by a language model]
    #[arg(long, env = "CONTENTGEN_CONCURRENCY", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) concurrency: Option<u16>,
    #[command(flatten)]
    pub(crate) writer: WriterOptions,
    /// Allow hooks to this machine.
    #[arg(long, env = "CONTENTGEN_ALLOW_LOOPBACK_HOOKS")]
    pub(crate) allow_loopback_hooks: bool,
    /// Reverse proxies whose `X-Forwarded-For` contains the client's address, such as `127.0.0.1/32`, together with --public-url;
    /// repeatable, at most 64
    /// [default: none]
    #[arg(long = "trusted-proxy", env = "CONTENTGEN_TRUSTED_PROXIES", value_name = "CIDR", value_delimiter = ',',
        value_parser = cidr)]
    pub(crate) trusted_proxies: Vec<IpNet>,
    /// Open connections of one client, an IPv4 address or an IPv6 /64; a /56 may have four times and a /48 sixteen times as many. A
    /// --trusted-proxy has no limit [default: 256, with --demo 4096]
    #[arg(long, env = "CONTENTGEN_CONNECTIONS_PER_CLIENT", value_name = "NUMBER",
        value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) connections_per_client: Option<u32>,
    #[command(flatten)]
    pub(crate) hook_addresses: HookAddresses,
    /// Seconds that an attempt to deliver a hook may take, including the response's body.
    #[arg(long, env = "CONTENTGEN_HOOK_TIMEOUT", default_value = "15", value_name = "SECONDS",
        value_parser = clap::value_parser!(u16).range(5..=30))]
    pub(crate) hook_timeout: u16,
    /// Pauses before the second and later attempts to deliver a hook, 1 to 20 of them, from 10ms to 7d each [default:
    /// 5s,5m,30m,2h,5h,10h,14h,20h,24h]
    #[arg(long, env = "CONTENTGEN_HOOK_RETRY_SCHEDULE", value_name = "PAUSE,…")]
    pub(crate) hook_retry_schedule: Option<RetrySchedule>,
    /// Maximum number of hooks a second to one endpoint [default: 20, with --demo 1000]
    #[arg(long, env = "CONTENTGEN_HOOK_RATE", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) hook_rate: Option<u32>,
    /// Maximum number of hooks that are sent at the same time.
    #[arg(long, env = "CONTENTGEN_HOOK_CONCURRENCY", default_value = "64",
        value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) hook_concurrency: u32,
    /// Maximum number of hooks that are sent to one endpoint at the same time.
    #[arg(long, env = "CONTENTGEN_HOOK_CONCURRENCY_PER_ENDPOINT", default_value = "5",
        value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) hook_concurrency_per_endpoint: u32,
    /// Folder for websites that publish their articles as files, each in a separate folder below it [default: none may]
    #[arg(long, env = "CONTENTGEN_PUBLISH_ROOT", value_name = "FOLDER")]
    pub(crate) publish_root: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) retain: Retain,
    /// Crashes, delays and clock jumps, for tests.
    #[cfg(feature = "failpoints")]
    #[command(flatten)]
    pub(crate) failpoints: Failpoints,
}

/// Crashes and delays that a test plans for this process. They are hidden, because only tests use them.
#[cfg(feature = "failpoints")]
#[derive(Debug, Clone, Args)]
pub(crate) struct Failpoints {
    /// Point at which the process ends.
    #[arg(long, hide = true, env = "CONTENTGEN_FAILPOINT")]
    failpoint: Option<failpoints::Stop>,
    /// Time that writing takes.
    #[arg(long, hide = true, env = "CONTENTGEN_FAILPOINT_WORK_MS")]
    failpoint_work_ms: Option<failpoints::WorkTimes>,
    /// Time that commits take.
    #[arg(long, hide = true, env = "CONTENTGEN_FAILPOINT_COMMIT_MS")]
    failpoint_commit_ms: Option<failpoints::WorkTimes>,
    /// Length of a claim's lease.
    #[arg(long, hide = true, env = "CONTENTGEN_FAILPOINT_LEASE_MS", value_parser = clap::value_parser!(u64).range(6..))]
    failpoint_lease_ms: Option<u64>,
    /// Time between two renewals of a job's claim.
    #[arg(long, hide = true, env = "CONTENTGEN_FAILPOINT_RENEWAL_MS", value_parser = clap::value_parser!(u64).range(1..))]
    failpoint_renewal_ms: Option<u64>,
    /// Jumps of the wall clock.
    #[arg(long, hide = true, env = "CONTENTGEN_FAILPOINT_CLOCK", allow_hyphen_values = true)]
    failpoint_clock: Option<failpoints::ClockJumps>,
}

/// Minimum retention of events beyond the sum of all pauses of the retry schedule, because jitter makes pauses longer.
const RETRY_MARGIN: Duration = Duration::from_hours(24);

impl Serve {
    /// Refuses a retention shorter than the retry schedule: a hook that waits for its last attempt when its event is deleted would
    /// never be sent.
    pub(crate) fn check_retention(&self) -> Result<(), String> {
        let pauses = self.hook_retry_schedule.clone().unwrap_or_default().total();
        let needed = pauses + RETRY_MARGIN;
        if self.retain.events >= needed {
            return Ok(());
        }
        Err(format!(
            "the pauses of --hook-retry-schedule add up to {}, so --event-retention must be at least {}",
            duration::show(pauses),
            duration::show(needed)
        ))
    }
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
    /// Writes and publishes articles, and sends hooks.
    Worker,
}

/// Retention of records.
#[derive(Debug, Clone, Args)]
pub(crate) struct Retain {
    /// Retention of events, with their deliveries and attempts.
    #[arg(long = "event-retention", env = "CONTENTGEN_EVENT_RETENTION", default_value = "30d", value_name = "DURATION",
        value_parser = of_events)]
    events: Duration,
    /// Retention of ended deliveries, with their attempts; at most as long as that of events.
    #[arg(long = "delivery-retention", env = "CONTENTGEN_DELIVERY_RETENTION", default_value = "30d", value_name = "DURATION",
        value_parser = of_events)]
    deliveries: Duration,
    /// Retention of attempts; at most as long as that of deliveries.
    #[arg(long = "attempt-retention", env = "CONTENTGEN_ATTEMPT_RETENTION", default_value = "30d", value_name = "DURATION",
        value_parser = of_attempts)]
    attempts: Duration,
    /// Time in which a request with the same idempotency key returns the first response.
    #[arg(long = "idempotency-retention", env = "CONTENTGEN_IDEMPOTENCY_RETENTION", default_value = "24h", value_name = "DURATION",
        value_parser = of_idempotency_keys)]
    idempotency_keys: Duration,
    /// Retention of unconfirmed leads, on websites with double opt-in.
    #[arg(long = "unconfirmed-lead-retention", env = "CONTENTGEN_UNCONFIRMED_LEAD_RETENTION", default_value = "30d",
        value_name = "DURATION", value_parser = of_unconfirmed_leads)]
    unconfirmed_leads: Duration,
    /// Retention of jobs and scheduled posts from their end; their articles are kept.
    #[arg(long = "job-retention", env = "CONTENTGEN_JOB_RETENTION", default_value = "90d", value_name = "DURATION",
        value_parser = of_jobs)]
    jobs: Duration,
    /// Retention of the audit trail.
    #[arg(long = "audit-retention", env = "CONTENTGEN_AUDIT_RETENTION", default_value = "730d", value_name = "DURATION",
        value_parser = of_audit_entries)]
    audit_entries: Duration,
}

impl From<&Retain> for Retention {
    fn from(options: &Retain) -> Self {
        Self {
            events: options.events,
            deliveries: options.deliveries,
            attempts: options.attempts,
            idempotency_keys: options.idempotency_keys,
            unconfirmed_leads: options.unconfirmed_leads,
            jobs: options.jobs,
            audit_entries: options.audit_entries,
        }
    }
}

/// Quota of keys for a policy, quota of lead forms, or quota of pages.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ServedQuota {
    Key(RateLimitPolicy, Quota),
    Capture(Quota),
    Pages(Quota),
}

fn served_quota(text: &str) -> Result<ServedQuota, String> {
    match text.split_once('=') {
        Some(("capture", amount)) => Ok(ServedQuota::Capture(quota(amount)?)),
        Some(("pages", amount)) => Ok(ServedQuota::Pages(quota(amount)?)),
        _ => key_quota(text).map(|(policy, quota)| ServedQuota::Key(policy, quota)),
    }
}

fn of_events(text: &str) -> Result<Duration, String> {
    within(text, MIN_EVENT_RETENTION, MAX_RETENTION)
}

fn of_attempts(text: &str) -> Result<Duration, String> {
    within(text, MIN_ATTEMPT_RETENTION, MAX_RETENTION)
}

fn of_unconfirmed_leads(text: &str) -> Result<Duration, String> {
    within(text, MIN_UNCONFIRMED_LEAD_RETENTION, MAX_RETENTION)
}

fn of_jobs(text: &str) -> Result<Duration, String> {
    within(text, MIN_JOB_RETENTION, MAX_RETENTION)
}

fn of_audit_entries(text: &str) -> Result<Duration, String> {
    within(text, MIN_AUDIT_RETENTION, MAX_RETENTION)
}

fn of_idempotency_keys(text: &str) -> Result<Duration, String> {
    within(text, MIN_IDEMPOTENCY_RETENTION, MAX_IDEMPOTENCY_RETENTION)
}
