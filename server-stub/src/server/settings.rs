//! Settings of a server, from the command line or a test.

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
use crate::http::{self, CONNECTIONS_PER_CLIENT, Deadlines, Quotas};
use crate::storage::{MAX_CONNECTIONS, SecretKeySource};

/// Quota of a demonstration, too large to reach by accident.
const DEMO_QUOTA: Quota = Quota { requests: 60_000, window_seconds: 60 };
/// Queue limits of a demonstration.
const DEMO_QUEUE_LIMITS: QueueLimits = QueueLimits { per_website: 10_000, per_account: 10_000, per_day: None };
/// Maximum number of hooks per second to one endpoint of a demonstration.
const DEMO_HOOK_RATE: u32 = 1000;

/// Location of the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Database {
    /// The database at an address such as `sqlite:server.db`.
    At(String),
    /// A database in a new folder, which is removed when the server stops.
    Temporary,
}

/// Settings of a server.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Address of the API, the hosted site and the dashboard, port 0 for any free port; `None` for a process without them.
    pub listen: Option<SocketAddr>,
    /// True if the process serves the API and the hosted site.
    pub serves_api: bool,
    /// True if the process serves the dashboard.
    pub serves_dashboard: bool,
    /// Address of the metrics, port 0 for any free port; `None` for a process that does not serve them.
    pub metrics_listen: Option<SocketAddr>,
    /// Location of the database.
    pub database: Database,
    /// Maximum number of connections to a PostgreSQL database, from [`MIN_CONNECTIONS`](crate::storage::MIN_CONNECTIONS) to
    /// [`MAX_CONNECTIONS`].
    pub database_connections: u16,
    /// Public URL of the hosted site and the API. Default: the listening address, which must then be a loopback address.
    pub public_url: Option<PublicUrl>,
    /// Public URL of the hosted site, if it has a separate host. Default: `public_url`.
    pub site_url: Option<PublicUrl>,
    /// True if this process writes and publishes articles and sends hooks.
    pub is_worker: bool,
    /// Maximum number of articles written at the same time.
    pub concurrency: usize,
    /// Quota of a key for `POST /generate`.
    pub generate_quota: Quota,
    /// Quota of a key for all other requests.
    pub api_quota: Quota,
    /// Quota of a client address for lead forms.
    pub capture_quota: Quota,
    /// Quota of a client address for pages of the hosted site. Each process counts for itself.
    pub pages_quota: Quota,
    /// Limits of the queue.
    pub limits: Limits,
    /// Location of the key for secrets in the database. Default: beside the SQLite file.
    pub secret_key: Option<SecretKeySource>,
    /// True if hooks may be sent to this machine.
    pub allows_loopback_hooks: bool,
    /// Further addresses that hooks may be sent to, at most [`AddressPolicy::MAX_LISTED`].
    pub hook_addresses: Vec<IpNet>,
    /// Proxies whose `X-Forwarded-For` is used to find the client address.
    pub trusted_proxies: Vec<IpNet>,
    /// Pauses before each retry of a failed hook.
    pub hook_retry_schedule: RetrySchedule,
    /// Limits of sending hooks.
    pub hooks: Tuning,
    /// Folder for published files. Websites choose a subfolder as their publishing target.
    pub publish_root: Option<PathBuf>,
    /// Retention of records.
    pub retention: Retention,
    /// Maximum times for a client to send a request and to read the response.
    pub deadlines: Deadlines,
    /// Maximum number of open connections of one client. Each process counts for itself.
    pub connections_per_client: u32,
    /// Maximum time for open requests and running jobs to finish when the server stops.
    pub drain: Duration,
    /// True if the server sets up two accounts to try the service with.
    pub is_demo: bool,
    /// Counter of the log lines that this process dropped, for its metrics. `None` reports 0.
    pub dropped_log_lines: Option<ErrorCounter>,
}

impl Settings {
    /// Returns settings for a server on `database` with the contract's limits, listening on port 8080 of the loopback
    /// address.
    pub fn new(database: Database) -> Self {
        Self {
            listen: Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 8080))),
            serves_api: true,
            serves_dashboard: true,
            metrics_listen: None,
            database,
            database_connections: MAX_CONNECTIONS,
            public_url: None,
            site_url: None,
            is_worker: true,
            concurrency: std::thread::available_parallelism().map_or(2, usize::from),
            generate_quota: Quotas::GENERATE,
            api_quota: Quotas::API,
            capture_quota: Quotas::CAPTURE,
            pages_quota: Quotas::PAGES,
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
            connections_per_client: CONNECTIONS_PER_CLIENT,
            drain: Duration::from_secs(30),
            is_demo: false,
            dropped_log_lines: None,
        }
    }

    /// Returns settings for trying the service: any free port, a temporary database, two accounts, very large quotas, and
    /// hooks to this machine.
    pub fn demo() -> Self {
        Self { listen: Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))), ..Self::new(Database::Temporary) }.into_demo()
    }

    /// Returns the rules for addresses of hooks.
    pub(super) fn hook_policy(&self) -> AddressPolicy {
        let loopback = AddressPolicy::loopback().into_iter().filter(|_| self.allows_loopback_hooks);
        AddressPolicy::with_listed(loopback.chain(self.hook_addresses.iter().copied()))
    }

    /// Turns the server into a demonstration.
    #[must_use]
    pub fn into_demo(self) -> Self {
        Self {
            generate_quota: DEMO_QUOTA,
            api_quota: DEMO_QUOTA,
            capture_quota: DEMO_QUOTA,
            pages_quota: DEMO_QUOTA,
            limits: Limits { queue: DEMO_QUEUE_LIMITS },
            connections_per_client: http::MAX_CONNECTIONS,
            hooks: Tuning { rate_per_second: DEMO_HOOK_RATE, ..self.hooks },
            allows_loopback_hooks: true,
            is_demo: true,
            ..self
        }
    }
}
