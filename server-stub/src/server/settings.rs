//! How a server runs: what the command line says, and what tests say. Nothing is started here.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use ipnet::IpNet;
use tracing_appender::non_blocking::ErrorCounter;

use crate::app::Limits;
use crate::domain::key::Quota;
use crate::domain::public_url::PublicUrl;
use crate::domain::retention::Retention;
use crate::domain::retry_schedule::RetrySchedule;
use crate::domain::store::QueueLimits;
use crate::hooks::{AddressPolicy, Tuning};
use crate::http::{Deadlines, Quotas};
use crate::storage::SecretKeySource;

/// The quota of a demonstration, too large to be reached by chance.
const DEMO_QUOTA: Quota = Quota { requests: 60_000, window_seconds: 60 };
/// The queue limits of a demonstration.
const DEMO_QUEUE_LIMITS: QueueLimits = QueueLimits { per_website: 10_000, per_account: 10_000 };
/// Hooks a second to one endpoint of a demonstration.
const DEMO_HOOK_RATE: u32 = 1000;

/// Where the state is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Database {
    /// At an address such as `sqlite:server.db`.
    At(String),
    /// In a fresh folder that is removed when the server stops.
    Temporary,
}

/// How a server runs.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where the API, the hosted site and the dashboard listen, port 0 for any; `None` for a process without them.
    pub listen: Option<SocketAddr>,
    /// Whether the API and the hosted site are served there.
    pub serves_api: bool,
    /// Whether the dashboard is served there.
    pub serves_dashboard: bool,
    /// Where metrics are scraped, port 0 for any; nowhere unless given.
    pub metrics_listen: Option<SocketAddr>,
    /// Where the state is kept.
    pub database: Database,
    /// Where readers reach the hosted site and callers the API; the listening address unless given.
    pub public_url: Option<PublicUrl>,
    /// Whether this process writes, publishes and sends hooks.
    pub is_worker: bool,
    /// Articles written at the same time.
    pub concurrency: usize,
    /// Quota of a key for `POST /generate`.
    pub generate_quota: Quota,
    /// Quota of a key for everything else.
    pub api_quota: Quota,
    /// Quota of an address for lead forms.
    pub capture_quota: Quota,
    /// Limits of the queue.
    pub limits: Limits,
    /// Where the key for secrets in the database is; beside an SQLite file unless given.
    pub secret_key: Option<SecretKeySource>,
    /// Whether hooks may go to this machine.
    pub allows_loopback_hooks: bool,
    /// Further addresses that hooks may go to, at most [`AddressPolicy::MAX_LISTED`].
    pub hook_addresses: Vec<IpNet>,
    /// Proxies whose `X-Forwarded-For` tells where a request came from.
    pub trusted_proxies: Vec<IpNet>,
    /// After which pauses a hook that failed is sent again.
    pub hook_retry_schedule: RetrySchedule,
    /// Limits of sending hooks.
    pub hooks: Tuning,
    /// The folder below which websites may have their articles published as files.
    pub publish_root: Option<PathBuf>,
    /// How long records are kept.
    pub retention: Retention,
    /// How long a client may take to send a request.
    pub deadlines: Deadlines,
    /// How long open requests and running jobs may take to finish once the server is told to stop.
    pub drain: Duration,
    /// Whether two accounts are set up to try the service with.
    pub is_demo: bool,
    /// Counts the log lines that this process dropped, for its metrics; none are known of otherwise.
    pub dropped_log_lines: Option<ErrorCounter>,
}

impl Settings {
    /// A server on `database` with the contract's limits, listening on the usual address.
    pub fn new(database: Database) -> Self {
        Self {
            listen: Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 8080))),
            serves_api: true,
            serves_dashboard: true,
            metrics_listen: None,
            database,
            public_url: None,
            is_worker: true,
            concurrency: std::thread::available_parallelism().map_or(2, usize::from),
            generate_quota: Quotas::GENERATE,
            api_quota: Quotas::API,
            capture_quota: Quotas::CAPTURE,
            limits: Limits::default(),
            secret_key: None,
            allows_loopback_hooks: false,
            hook_retry_schedule: RetrySchedule::default(),
            hook_addresses: Vec::new(),
            trusted_proxies: Vec::new(),
            hooks: Tuning::default(),
            publish_root: None,
            retention: Retention::default(),
            deadlines: Deadlines::default(),
            drain: Duration::from_secs(30),
            is_demo: false,
            dropped_log_lines: None,
        }
    }

    /// A server to try things with: any free port, a temporary database, two accounts, lifted quotas, hooks to this machine.
    pub fn demo() -> Self {
        Self { listen: Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))), ..Self::new(Database::Temporary) }.into_demo()
    }

    /// Where hooks may go.
    pub(super) fn hook_policy(&self) -> AddressPolicy {
        let loopback = AddressPolicy::loopback().into_iter().filter(|_| self.allows_loopback_hooks);
        AddressPolicy::with_listed(loopback.chain(self.hook_addresses.iter().copied()))
    }

    /// The same server as a demonstration.
    #[must_use]
    pub fn into_demo(self) -> Self {
        Self {
            generate_quota: DEMO_QUOTA,
            api_quota: DEMO_QUOTA,
            capture_quota: DEMO_QUOTA,
            limits: Limits { queue: DEMO_QUEUE_LIMITS },
            hooks: Tuning { rate_per_second: DEMO_HOOK_RATE, ..self.hooks },
            allows_loopback_hooks: true,
            is_demo: true,
            ..self
        }
    }
}
