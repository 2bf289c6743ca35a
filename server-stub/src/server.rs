//! Starts all of a server in this process and stops it again. The command line is a thin layer over this, and so is every
//! test. What the parts do lives in their rooms.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::app::{AdminError, App, Limits, NewHook};
use crate::demo::{self, DemoAccount};
use crate::domain::clock::{Clock, SystemClock};
use crate::domain::event::EventType;
use crate::domain::key::Quota;
use crate::domain::retry_schedule::RetrySchedule;
use crate::domain::store::{QueueLimits, Store};
use crate::domain::wakeup::Wakeups;
use crate::generation::offline::OfflineWriter;
use crate::generation::worker::Worker;
use crate::hooks::{AddressPolicy, Dispatcher, Sender};
use crate::http::{self, Listener, Quotas};
use crate::publishing::Hosted;
use crate::publishing::scheduler::Scheduler;
use crate::storage::SecretKeySource;
use crate::{site, storage};

/// Open requests and running jobs get this long to finish.
pub const DRAIN: Duration = Duration::from_secs(30);
/// The quota with which a demonstration or a test is not in its own way.
const LIFTED: Quota = Quota { requests: 60_000, window_seconds: 60 };
/// The queue limits of a demonstration.
const LIFTED_QUEUE: QueueLimits = QueueLimits { per_website: 10_000, per_account: 10_000 };

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
    /// Where the API and the hosted site listen, port 0 for any; `None` for a process without them.
    pub listen: Option<SocketAddr>,
    /// Where the state is kept.
    pub database: Database,
    /// Scheme, host and port under which readers reach the hosted site; the listening address unless given.
    pub public_url: Option<String>,
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
    /// After which pauses a hook that failed is sent again.
    pub hook_retry_schedule: RetrySchedule,
    /// Whether two accounts are set up to try the service with.
    pub is_demo: bool,
}

impl Settings {
    /// A server on `database` with the contract's limits, listening on the usual address.
    pub fn new(database: Database) -> Self {
        Self {
            listen: Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 8080))),
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
            is_demo: false,
        }
    }

    /// A server to try things with: any free port, a temporary database, two accounts, lifted quotas, hooks to this machine.
    pub fn demo() -> Self {
        Self { listen: Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))), ..Self::new(Database::Temporary) }.into_demo()
    }

    /// The same server as a demonstration.
    #[must_use]
    pub fn into_demo(self) -> Self {
        Self {
            generate_quota: LIFTED,
            api_quota: LIFTED,
            capture_quota: LIFTED,
            limits: Limits { queue: LIFTED_QUEUE },
            allows_loopback_hooks: true,
            is_demo: true,
            ..self
        }
    }
}

/// Why a server did not start; each is a sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database cannot be opened.
    #[error(transparent)]
    Database(#[from] storage::OpenError),
    /// The folder for a temporary database cannot be made.
    #[error("no temporary folder can be made for the database; give one with --database")]
    TemporaryFolder(#[source] io::Error),
    /// The address cannot be listened on.
    #[error("{0} is in use; stop what listens there or choose another address with --listen")]
    AddressInUse(SocketAddr),
    /// The address cannot be listened on for another reason.
    #[error("{0} cannot be listened on ({1}); choose another address with --listen")]
    Address(SocketAddr, #[source] io::Error),
    /// The database refused.
    #[error("the database refused: {0}")]
    Store(#[from] crate::domain::store::Error),
    /// The demonstration's accounts cannot be set up.
    #[error("the demonstration cannot be set up: {0}")]
    Demo(#[source] AdminError),
}

/// A server that runs. It goes on when this is dropped; [`Running::stop`] ends it.
pub struct Running {
    base_url: Option<String>,
    database: String,
    accounts: Vec<DemoAccount>,
    app: Arc<App>,
    stopping: CancellationToken,
    tracker: TaskTracker,
    folder: Option<TempDir>,
}

impl fmt::Debug for Running {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Running").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}

/// Starts a server; when this returns it accepts requests.
pub async fn start(settings: Settings) -> Result<Running, StartError> {
    let (folder, database) = match &settings.database {
        Database::At(address) => (None, address.clone()),
        Database::Temporary => {
            let folder =
                tempfile::Builder::new().prefix("contentgen-").tempdir().map_err(StartError::TemporaryFolder)?;
            let address = format!("sqlite:{}", folder.path().join("server.db").display());
            (Some(folder), address)
        }
    };
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let wakeups = Arc::new(Wakeups::default());
    let store = storage::open(
        &database,
        &storage::Options {
            secret_key: settings.secret_key.clone(),
            serving_since: Some(clock.now()),
            wakeups: Arc::clone(&wakeups),
        },
    )?;
    let stopping = CancellationToken::new();
    let tracker = TaskTracker::new();
    let (store_of_app, clock_of_app) = (Arc::clone(&store), Arc::clone(&clock));
    let app = App::new(store_of_app, clock_of_app, Arc::clone(&wakeups), settings.limits, stopping.clone()).await?;
    let app = Arc::new(app);
    let accounts = if settings.is_demo {
        demo::set_up(&app, &store.token_secret().await?).await.map_err(StartError::Demo)?
    } else {
        Vec::new()
    };
    let listener = match settings.listen {
        Some(address) => Some(bind(address).await?),
        None => None,
    };
    let base_url = listener.as_ref().map(|(_, address)| url_of(*address));
    let public_url = settings.public_url.clone().or_else(|| base_url.clone()).unwrap_or_default();
    if settings.is_worker {
        start_work(&settings, &store, &clock, &wakeups, &public_url, (&stopping, &tracker));
    }
    if let Some((socket, _)) = listener {
        let quotas = Quotas::new(settings.generate_quota, settings.api_quota, settings.capture_quota);
        let origin = public_url.trim_end_matches('/').to_owned();
        let router = http::router(Arc::clone(&app), quotas, origin).merge(site::router(Arc::clone(&app)));
        let listener = Listener::new(socket, router, clock);
        tracker.spawn(listener.run(stopping.clone(), tracker.clone()));
    }
    Ok(Running { base_url, database, accounts, app, stopping, tracker, folder })
}

async fn bind(address: SocketAddr) -> Result<(tokio::net::TcpListener, SocketAddr), StartError> {
    let failure = |error: io::Error| match error.kind() {
        io::ErrorKind::AddrInUse => StartError::AddressInUse(address),
        _ => StartError::Address(address, error),
    };
    let socket = tokio::net::TcpListener::bind(address).await.map_err(failure)?;
    let bound = socket.local_addr().map_err(failure)?;
    Ok((socket, bound))
}

fn start_work(
    settings: &Settings,
    store: &Arc<dyn Store>,
    clock: &Arc<dyn Clock>,
    wakeups: &Arc<Wakeups>,
    public_url: &str,
    (stopping, tracker): (&CancellationToken, &TaskTracker),
) {
    let parts = || (Arc::clone(store), Arc::clone(clock), Arc::clone(wakeups));
    let (of_store, of_clock, of_wakeups) = parts();
    let writer = Arc::new(OfflineWriter);
    let worker = Worker::new(of_store, of_clock, of_wakeups, writer, settings.concurrency);
    let (of_store, of_clock, of_wakeups) = parts();
    let publisher = Arc::new(Hosted::new(public_url.trim_end_matches('/').to_owned()));
    let scheduler = Scheduler::new(of_store, of_clock, of_wakeups, publisher);
    let (of_store, of_clock, of_wakeups) = parts();
    let policy =
        if settings.allows_loopback_hooks { AddressPolicy::allow_loopback() } else { AddressPolicy::public_only() };
    let schedule = settings.hook_retry_schedule.clone();
    let dispatcher = Dispatcher::new(of_store, of_clock, of_wakeups, Sender::new(policy), schedule);
    let tokens = [(); 3].map(|()| stopping.clone());
    let [of_worker, of_scheduler, of_dispatcher] = tokens;
    tracker.spawn(worker.run(of_worker));
    tracker.spawn(scheduler.run(of_scheduler));
    tracker.spawn(dispatcher.run(of_dispatcher));
}

/// An address that a client on this machine can use: a wildcard is no destination.
fn url_of(address: SocketAddr) -> String {
    let host = match address.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(_) => IpAddr::V6(std::net::Ipv6Addr::LOCALHOST),
    };
    format!("http://{}", SocketAddr::new(host, address.port()))
}

impl Running {
    /// Scheme, host and port of the API, without a trailing slash; `None` for a process without it.
    pub fn base_url(&self) -> Option<&str> {
        self.base_url.as_deref()
    }

    /// The address of the database, for the other commands.
    pub fn database(&self) -> &str {
        &self.database
    }

    /// The demonstration's accounts; none without one.
    pub fn accounts(&self) -> &[DemoAccount] {
        &self.accounts
    }

    /// The use cases, for set-up that the API does not offer.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// Registers a hook endpoint for the documented events unless told otherwise; answers its id and its secret.
    pub async fn create_hook(
        &self,
        account_name: &str,
        url: &str,
        events: &[EventType],
    ) -> Result<(String, String), AdminError> {
        let account = self.app.account(account_name).await?;
        let events = if events.is_empty() { EventType::DEFAULT.to_vec() } else { events.to_vec() };
        let wanted = NewHook { url: url.to_owned(), events, website_id: None, include_content: false };
        let endpoint = self.app.create_hook(&account, wanted).await?;
        Ok((endpoint.id, endpoint.secret.reveal()))
    }

    /// Removes a hook endpoint with what is still to be sent to it; says whether there was one.
    pub async fn remove_hook(&self, hook_id: &str) -> Result<bool, AdminError> {
        self.app.remove_hook(hook_id).await
    }

    /// Stops accepting, lets requests and jobs finish for up to 30 seconds, and says whether all did.
    pub async fn stop(self) -> bool {
        self.stopping.cancel();
        self.tracker.close();
        let has_drained = tokio::time::timeout(DRAIN, self.tracker.wait()).await.is_ok();
        drop(self.app);
        drop(self.folder);
        has_drained
    }
}
