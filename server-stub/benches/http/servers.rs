//! The compared servers: the real one with a constant route beside it, and one with its database file in memory.

use std::net::{Ipv4Addr, SocketAddr};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use anyhow::Context as _;
use axum::Router;
use axum::routing::get;
use bytes::Bytes;
use contentgen_server_stub::app::{App, Limits, WebsiteSettings};
use contentgen_server_stub::clock::SystemClock;
use contentgen_server_stub::demo;
use contentgen_server_stub::domain::account::WebsiteStatus;
use contentgen_server_stub::domain::clock::Clock;
use contentgen_server_stub::domain::key::Quota;
use contentgen_server_stub::domain::public_url::PublicUrl;
use contentgen_server_stub::domain::store::{ArticleFilter, PageRequest, QueueLimits, StoredArticle};
use contentgen_server_stub::domain::visibility::Visibility;
use contentgen_server_stub::generation::offline::OfflineWriter;
use contentgen_server_stub::generation::worker::Worker;
use contentgen_server_stub::http::{Deadlines, Listener, Part, Quotas, router};
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::storage::{self, Store};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::load;

/// First account of the demonstration data.
const ACCOUNT: &str = "harbour-bakery";
const DATABASE: &str = "bench.db";
/// Records of each kind in the lists: one more than a page of the default size.
const LISTED: usize = 21;
const UNLIMITED: Quota = Quota { requests: u32::MAX, window_seconds: 60 };

/// Both servers, and the values that requests to them need.
pub(crate) struct Servers {
    /// Server with its database on the disk.
    pub(crate) real: SocketAddr,
    /// Server with its database in memory, where commits cost nothing.
    pub(crate) in_memory: SocketAddr,
    pub(crate) api_key: String,
    website_id: String,
    article_id: String,
    stopping: CancellationToken,
    tracker: TaskTracker,
    folder: TempDir,
    _memory: TempDir,
}

impl Servers {
    /// Starts both servers on one database file. Its records fill a page of each list. No worker runs, because it would compete for the
    /// cores.
    pub(crate) async fn start() -> anyhow::Result<Self> {
        // The temporary folder of the system may be in memory, where commits cost nothing.
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
        let store = open(folder.path())?;
        let (stopping, tracker) = (CancellationToken::new(), TaskTracker::new());
        let app = app(store.clone(), &stopping);
        let account = demo::set_up(&app, &store.derived_secret("demonstration keys")).await?.swap_remove(0);
        create_websites(&app).await?;
        let memory = memory_folder()?;
        copy_database(&folder.path().join(DATABASE), &memory.path().join(DATABASE))?;
        let app_in_memory = self::app(open(memory.path())?, &stopping);
        let body = Arc::new(OnceLock::<Bytes>::new());
        let constant = Router::new().route("/constant", {
            let body = Arc::clone(&body);
            get(async move || body.get().cloned().unwrap_or_default())
        });
        let mut servers = Self {
            real: listen(app, constant.clone(), &stopping, &tracker).await?,
            in_memory: listen(app_in_memory, constant, &stopping, &tracker).await?,
            api_key: account.api_key,
            website_id: account.website_id,
            article_id: String::new(),
            stopping,
            tracker,
            folder,
            _memory: memory,
        };
        for number in 0..LISTED {
            load::once(servers.real, &servers.generate_request(), 202).await?;
            load::once(servers.real, &servers.lead_request(number), 202).await?;
        }
        let article = write_all(&store).await?;
        servers.article_id = article.id;
        body.set(article.body).map_err(|_| anyhow::anyhow!("the constant is set once"))?;
        Ok(servers)
    }

    /// Returns the path of the database file.
    pub(crate) fn database(&self) -> PathBuf {
        self.folder.path().join(DATABASE)
    }

    /// Returns an ordinary submission.
    pub(crate) fn generate_request(&self) -> Vec<u8> {
        let body = format!(
            r#"{{"topic":"Keeping a rye starter alive through winter","website_id":"{}","keywords":["rye starter"]}}"#,
            self.website_id
        );
        let length = body.len();
        self.request(
            "POST /api/v1/generate",
            &format!("Content-Type: application/json\r\nContent-Length: {length}\r\n"),
            &body,
        )
    }

    /// Returns a request for the article.
    pub(crate) fn article_request(&self) -> Vec<u8> {
        self.request(&format!("GET /api/v1/articles/{}", self.article_id), "", "")
    }

    /// Returns a request for the first page of a list.
    pub(crate) fn list_request(&self, name: &str) -> Vec<u8> {
        self.request(&format!("GET /api/v1/{name}"), "", "")
    }

    fn lead_request(&self, number: usize) -> Vec<u8> {
        let body = format!(
            r#"{{"email":"reader-{number}@example.com","name":"Robin Reader","message":"Do you teach a course on rye in January?","consent":{{"given":true}}}}"#
        );
        let length = body.len();
        self.request(
            &format!("POST /capture/{}", self.website_id),
            &format!("Content-Type: application/json\r\nContent-Length: {length}\r\n"),
            &body,
        )
    }

    /// Returns a request for the constant.
    pub(crate) fn constant_request(&self) -> Vec<u8> {
        self.request("GET /constant", "", "")
    }

    fn request(&self, start: &str, headers: &str, body: &str) -> Vec<u8> {
        let key = &self.api_key;
        format!("{start} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {key}\r\n{headers}\r\n{body}").into_bytes()
    }

    /// Stops both servers.
    pub(crate) async fn stop(self) {
        self.stopping.cancel();
        self.tracker.close();
        self.tracker.wait().await;
    }
}

fn open(folder: &Path) -> anyhow::Result<Store> {
    let address = format!("sqlite:{}", folder.join(DATABASE).display());
    Ok(storage::open(&address, &storage::Options::new(Arc::new(SystemRandomness)))?)
}

/// Returns a folder in memory.
fn memory_folder() -> anyhow::Result<TempDir> {
    tempfile::tempdir_in("/dev/shm").context("this bench needs a file system in memory at /dev/shm")
}

/// Copies a database in use with its key, so that the same keys and websites exist in both.
fn copy_database(from: &Path, to: &Path) -> anyhow::Result<()> {
    storage::backup(&format!("sqlite:{}", from.display()), to, &mut |_| ControlFlow::Continue(()))?;
    std::fs::copy(from.with_extension("db.key"), to.with_extension("db.key"))?;
    Ok(())
}

fn app(store: Store, stopping: &CancellationToken) -> Arc<App> {
    let limits = Limits { queue: QueueLimits { per_website: u32::MAX, per_account: u32::MAX, per_day: None } };
    let app = App::new(store, Arc::new(SystemClock), Arc::new(SystemRandomness), limits, stopping.clone());
    Arc::new(app)
}

async fn listen(
    app: Arc<App>,
    more: Router,
    stop: &CancellationToken,
    tracker: &TaskTracker,
) -> anyhow::Result<SocketAddr> {
    let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = socket.local_addr()?;
    let quotas = Quotas::new(UNLIMITED, UNLIMITED, UNLIMITED, UNLIMITED);
    let public_url: PublicUrl = format!("http://{address}").parse().map_err(anyhow::Error::msg)?;
    let router = router(Part::Everything, app, quotas, (public_url.clone(), public_url), Deadlines::default(), more);
    let listener = Listener::new(socket, router, Arc::new(SystemClock), Arc::new(SystemRandomness));
    tracker.spawn(listener.run(stop.clone(), stop.clone(), tracker.clone()));
    Ok(address)
}

/// Creates enough websites to fill a page.
async fn create_websites(app: &App) -> anyhow::Result<()> {
    let account = app.account(ACCOUNT).await?;
    for number in 0..LISTED {
        let settings = WebsiteSettings {
            name: format!("Harbour Bakery {number}"),
            url: format!("https://harbour-bakery-{number}.example"),
            ..WebsiteSettings::default()
        };
        app.create_website(&account, settings, WebsiteStatus::Active).await?;
    }
    Ok(())
}

/// Runs a worker until the queued articles are written, and stops it. Returns the newest article.
async fn write_all(store: &Store) -> anyhow::Result<StoredArticle> {
    let (stop, wakeups) = (CancellationToken::new(), store.wakeups());
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let worker = Worker::new(store.clone(), clock, Arc::new(SystemRandomness), Arc::new(OfflineWriter), 1);
    let page = PageRequest { after: None, limit: u32::try_from(LISTED)? };
    let reading = async {
        let account = store.find_account(ACCOUNT).await?.context("no account")?;
        let visibility = Visibility { account_id: account.id, website_ids: None };
        let newest = loop {
            // The store announces each written article to the scheduler.
            wakeups.posts.notified().await;
            let mut listed = store.list_articles(&visibility, &ArticleFilter::default(), &page).await?;
            if listed.len() == LISTED {
                break listed.swap_remove(0);
            }
        };
        stop.cancel();
        store.find_article(&newest.id).await?.context("the article is gone")
    };
    let ((), article) = tokio::join!(worker.run(stop.clone()), reading);
    article
}
