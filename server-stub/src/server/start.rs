//! Assembles a server from its parts and starts it. `running` stops it.

use std::fs::Permissions;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::{Database, Running, Server, ServerBuilder, Settings};
use crate::app::{AdminError, App};
use crate::clock::SlewedClock;
use crate::domain::clock::Clock;
use crate::domain::public_url::PublicUrl;
use crate::domain::randomness::Randomness;
use crate::domain::store;
use crate::generation::ArticleGenerator;
use crate::generation::offline::OfflineWriter;
use crate::generation::worker::Worker;
use crate::hooks::{DestinationChecker, Dispatcher, Sender};
use crate::http::{self, Listener, Quotas};
use crate::metrics::{self, Metrics, Scrape};
use crate::publishing::{
    ArticleUpdates, Directory, FileRemovals, HostedSite, Publisher, Push, Scheduler, TargetPublisher,
};
use crate::purger::Purger;
use crate::randomness::SystemRandomness;
use crate::storage::Store;
use crate::{dashboard, demo, site, storage};

/// Resources that all parts of a server share.
#[derive(Clone)]
struct SharedParts {
    store: Store,
    clock: Arc<dyn Clock>,
    randomness: Arc<dyn Randomness>,
    metrics: Arc<Metrics>,
}

/// Parts that the worker's loops use.
struct WorkerParts {
    generator: Arc<dyn ArticleGenerator>,
    publisher: Arc<dyn Publisher>,
    directory: Option<Directory>,
    sender: Sender,
}

/// Starts a server with these settings and otherwise the defaults. It accepts requests when this returns.
pub async fn start(settings: Settings) -> Result<Running, StartError> {
    Server::builder().settings(settings).start().await
}

/// Starts the server that a builder describes.
pub(super) async fn start_with(builder: ServerBuilder) -> Result<Running, StartError> {
    let ServerBuilder { settings, clock, randomness, generator, publisher, hook_sender } = builder;
    if let Some(address) = settings.listen.filter(|address| !address.ip().to_canonical().is_loopback())
        && settings.public_url.is_none()
    {
        return Err(StartError::NoPublicUrl { address });
    }
    let (folder, database) = database_address(&settings.database)?;
    // The database does not correct a clock that the caller provides.
    let (clock, slewed) = if let Some(clock) = clock {
        (clock, None)
    } else {
        let slewed = Arc::<SlewedClock>::default();
        (Arc::clone(&slewed) as _, Some(slewed))
    };
    let randomness = randomness.unwrap_or_else(|| Arc::new(SystemRandomness));
    let options = storage::Options {
        randomness: Arc::clone(&randomness),
        secret_key: settings.secret_key.clone(),
        serving_since: Some(clock.steady()),
        clock: slewed,
        connections: settings.database_connections,
    };
    let store = open(database.clone(), options).await?;
    let metrics = Arc::new(Metrics::new(settings.dropped_log_lines.clone()));
    let shared = SharedParts { store, clock, randomness, metrics };
    let (stopping, closing) = (CancellationToken::new(), CancellationToken::new());
    let (tracker, listeners) = (TaskTracker::new(), TaskTracker::new());
    let SharedParts { store, clock, randomness, metrics } = shared.clone();
    let app = App::new(store, clock, randomness, settings.limits, stopping.clone())
        .publishing_files(settings.publish_root.is_some())
        .with_metrics(metrics)
        .with_idempotency_retention(settings.retention.idempotency_keys)
        .with_hook_retry_schedule(&settings.hook_retry_schedule);
    let checker = match &hook_sender {
        Some(sender) => sender.destination_checker().clone(),
        None => DestinationChecker::new(settings.hook_policy()),
    };
    let app = Arc::new(app.with_destination_checker(checker.clone()));
    let accounts = if settings.is_demo {
        demo::set_up(&app, &shared.store.derived_secret("demonstration keys")).await.map_err(StartError::Demo)?
    } else {
        Vec::new()
    };
    let (listener, base_url) = bind(settings.listen, "--listen").await?;
    let (scraped, metrics_url) = bind(settings.metrics_listen, "--metrics-listen").await?;
    let metrics_url = metrics_url.map(|url| url + "/metrics");
    let own_url = || base_url.as_ref().and_then(|url| url.parse::<PublicUrl>().ok());
    let public_url = settings.public_url.clone().or_else(own_url).unwrap_or_default();
    let site_url = settings.site_url.clone().unwrap_or_else(|| public_url.clone());
    let mut writer = None;
    if settings.is_worker {
        let generator = generator.unwrap_or_else(|| Arc::new(OfflineWriter));
        writer = Some(generator.name());
        let sender = hook_sender.unwrap_or_else(|| Sender::with_tuning(checker, settings.hooks));
        let directory = directory(&settings, &shared)?;
        let publisher = publisher.unwrap_or_else(|| target_publisher(&site_url, directory.clone(), &sender, &shared));
        let parts = WorkerParts { generator, publisher, directory, sender };
        start_worker_loops(&settings, &shared, parts, (&stopping, &tracker));
    }
    if let Some(socket) = listener {
        let following = Arc::clone(&app);
        tracker.spawn(async move { following.follow_watched_jobs().await });
        let following = Arc::clone(&app);
        tracker.spawn(async move { following.follow_key_uses().await });
        let router = routes(&settings, &app, (&public_url, &site_url), &shared);
        let listener = Listener::new(socket, router, Arc::clone(&shared.clock), Arc::clone(&shared.randomness))
            .with_trusted_proxies(&settings.trusted_proxies)
            .with_deadlines(settings.deadlines)
            .with_connections_per_client(settings.connections_per_client)
            .with_public_urls(public_url.clone(), settings.site_url)
            .with_metrics(Arc::clone(&shared.metrics));
        listeners.spawn(listener.run(stopping.clone(), closing.clone(), tracker.clone()));
    }
    if let Some(socket) = scraped {
        let SharedParts { store, clock, metrics, .. } = shared;
        listeners.spawn(metrics::serve(socket, Scrape { metrics, store, clock }, closing.clone()));
    }
    let drain = settings.drain;
    Ok(Running {
        base_url,
        public_url,
        site_url,
        serves_dashboard: settings.serves_dashboard && settings.listen.is_some(),
        metrics_url,
        writer,
        database,
        accounts,
        app,
        stopping,
        closing,
        tracker,
        listeners,
        drain,
        folder,
    })
}

/// Returns the address of the database, and the folder of a temporary database.
fn database_address(database: &Database) -> Result<(Option<TempDir>, String), StartError> {
    match database {
        Database::At(address) => Ok((None, address.clone())),
        Database::Temporary => {
            let for_owner = Permissions::from_mode(0o700);
            let folder = tempfile::Builder::new().prefix("contentgen-").permissions(for_owner).tempdir();
            let folder = folder.map_err(StartError::TemporaryFolder)?;
            let address = format!("sqlite:{}", folder.path().join("server.db").display());
            Ok((Some(folder), address))
        }
    }
}

/// Opens the folder for published files, if one is configured.
fn directory(settings: &Settings, shared: &SharedParts) -> Result<Option<Directory>, StartError> {
    let Some(folder) = settings.publish_root.clone() else { return Ok(None) };
    let opened = Directory::new(folder.clone(), Arc::clone(&shared.clock));
    opened.map(Some).map_err(|source| StartError::PublishRoot { folder, source })
}

/// Returns a publisher for the publishing targets that websites choose.
fn target_publisher(
    site_url: &PublicUrl,
    directory: Option<Directory>,
    sender: &Sender,
    shared: &SharedParts,
) -> Arc<dyn Publisher> {
    let hosted = HostedSite::new(site_url.clone());
    let push = Push::new(sender.clone(), Arc::clone(&shared.clock));
    Arc::new(TargetPublisher { hosted, directory, push })
}

/// Returns the routes that the settings enable.
fn routes(
    settings: &Settings,
    app: &Arc<App>,
    (public_url, site_url): (&PublicUrl, &PublicUrl),
    shared: &SharedParts,
) -> Router {
    let Settings { generate_quota, api_quota, capture_quota, pages_quota, .. } = *settings;
    let mut quotas = Quotas::new(generate_quota, api_quota, capture_quota, pages_quota);
    if let Some(windows) = shared.store.shared_windows() {
        quotas = quotas.with_windows(windows, Arc::clone(&shared.metrics));
    }
    let part = if settings.serves_api { http::Part::Everything } else { http::Part::ServicePages };
    let site = site::router(Arc::clone(app), site_url.clone(), public_url);
    let urls = (public_url.clone(), site_url.clone());
    let mut router = http::router(part, Arc::clone(app), quotas, urls, settings.deadlines, site);
    if settings.serves_dashboard {
        router = router.merge(dashboard::router(Arc::clone(app), public_url.clone(), site_url.clone()));
    }
    router
}

/// Opens the store on a blocking thread, so that a slow database delays no other task.
async fn open(database: String, options: storage::Options) -> Result<Store, storage::OpenError> {
    let opening = tokio::task::spawn_blocking(move || storage::open(&database, &options));
    opening.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
}

/// Binds a socket to `address`, if given. Returns it with the URL for clients on this machine. `option` is the option that set
/// the address.
async fn bind(
    address: Option<SocketAddr>,
    option: &'static str,
) -> Result<(Option<TcpListener>, Option<String>), StartError> {
    let Some(address) = address else { return Ok((None, None)) };
    let failure = |source: io::Error| match source.kind() {
        io::ErrorKind::AddrInUse => StartError::AddressInUse { address, option },
        _ => StartError::Address { address, option, source },
    };
    let socket = TcpListener::bind(address).await.map_err(failure)?;
    let bound = socket.local_addr().map_err(failure)?;
    Ok((Some(socket), Some(url_of(bound))))
}

fn start_worker_loops(
    settings: &Settings,
    shared: &SharedParts,
    work: WorkerParts,
    (stopping, tracker): (&CancellationToken, &TaskTracker),
) {
    let SharedParts { store, clock, randomness, metrics } = shared.clone();
    let worker = Worker::new(store, clock, randomness, work.generator, settings.concurrency).with_metrics(metrics);
    let SharedParts { store, clock, randomness, metrics } = shared.clone();
    let updates = ArticleUpdates::new(store.clone(), Arc::clone(&clock), Arc::clone(&work.publisher));
    let scheduler = Scheduler::new(store, clock, randomness, work.publisher).with_metrics(metrics);
    let SharedParts { store, clock, metrics, .. } = shared.clone();
    let dispatcher = Dispatcher::new(store, clock, work.sender, settings.hook_retry_schedule.clone())
        .with_metrics(metrics)
        .with_tuning(settings.hooks);
    let SharedParts { store, clock, metrics, .. } = shared.clone();
    let purger = Purger::new(store, clock, settings.retention).with_metrics(metrics);
    tracker.spawn(worker.run(stopping.clone()));
    tracker.spawn(scheduler.run(stopping.clone()));
    tracker.spawn(updates.run(stopping.clone()));
    tracker.spawn(dispatcher.run(stopping.clone()));
    tracker.spawn(purger.run(stopping.clone()));
    if let Some(directory) = work.directory {
        let removals = FileRemovals::new(shared.store.clone(), Arc::clone(&shared.clock), directory);
        tracker.spawn(removals.run(stopping.clone()));
    }
}

/// Returns the URL for clients on this machine. Replaces a wildcard address by the loopback address.
fn url_of(address: SocketAddr) -> String {
    let host = match address.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::LOCALHOST),
    };
    format!("http://{}", SocketAddr::new(host, address.port()))
}

/// Reason why a server did not start. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Other machines reach the server, but the address in their links is unknown.
    #[error(
        "--listen {address} serves other machines, so links in articles, webhooks and pages need an address that works \
         there; set it, such as --public-url https://articles.example.com"
    )]
    NoPublicUrl {
        /// The listening address.
        address: SocketAddr,
    },
    /// The database cannot be opened.
    #[error(transparent)]
    Database(#[from] storage::OpenError),
    /// The folder for a temporary database cannot be made.
    #[error("cannot create a temporary folder for the database; choose a database with --database")]
    TemporaryFolder(#[source] io::Error),
    /// Another program listens on the address.
    #[error("{address} is in use; stop the program that listens there or choose another address with {option}")]
    AddressInUse {
        /// The address.
        address: SocketAddr,
        /// The command-line option that sets the address.
        option: &'static str,
    },
    /// The server cannot listen on the address for another reason.
    #[error("cannot listen on {address} ({source}); choose another address with {option}")]
    Address {
        /// The address.
        address: SocketAddr,
        /// The command-line option that sets the address.
        option: &'static str,
        /// The error of the system.
        source: io::Error,
    },
    /// The folder for published files cannot be written to.
    #[error("cannot write to the folder {} ({source}); create it, or choose another one with --publish-root", folder.display())]
    PublishRoot {
        /// The folder.
        folder: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The database returned an error.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The demonstration's accounts cannot be set up.
    #[error("cannot set up the demonstration")]
    Demo(#[source] AdminError),
}
