//! Starts the built-in reference server for `run --reference`.
//!
//! The only file that depends on the server; no check may use it.

use std::fmt;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use contentgen_server_stub::app::DEFAULT_SECRET_OVERLAP;
use contentgen_server_stub::clock::SlewedClock;
use contentgen_server_stub::demo::DemoAccount;
use contentgen_server_stub::domain::account::WebsiteStatus;
use contentgen_server_stub::domain::clock::{Clock, Timestamp};
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::voice::VoiceReport;
use contentgen_server_stub::generation::{
    ArticleBrief, ArticleDraft, ArticleGenerator, FailureCode, GenerationError, OfflineWriter, UsageMeter,
};
use contentgen_server_stub::server::{Database, Running, Server, Settings, StartError};
use futures::future::{BoxFuture, FutureExt};
use serde_json::json;
use tempfile::TempDir;
use tokio::net::TcpSocket;
use tokio::runtime::{Handle, Runtime};
use tokio::sync::{OwnedRwLockReadGuard, RwLock, watch};

use crate::check::{
    BreakableWriter, Capture, ClockSwitch, FailingJob, LeadEraser, MovableClock, PausableWebsite, Restarter,
    WebsiteSwitch, WriterState, WriterSwitch,
};
use crate::runner::{Account, HookAbility, HookRegistrar, HookSetUp, Registration, SetUpError, Target};

/// Time limit for an article; the writer takes less than a second.
const READY_WITHIN: Duration = Duration::from_mins(1);
/// Time limit for a retry; the first one of the schedule comes after five seconds and some jitter.
const RETRY_WITHIN: Duration = Duration::from_secs(30);

/// Types that an endpoint chooses: all that the suite can cause.
const CHOSEN: [EventType; 5] = [
    EventType::LeadCaptured,
    EventType::LeadConfirmed,
    EventType::ArticlePublished,
    EventType::JobFailed,
    EventType::ScheduledPostFailed,
];

/// A reference server on a loopback port, with its own threads. It ends when this is dropped.
pub struct Reference {
    runtime: Option<Runtime>,
    server: Arc<RwLock<Option<Running>>>,
    parts: Arc<Parts>,
    base_url: String,
    accounts: Vec<DemoAccount>,
}

/// Parts of the server that survive a restart.
struct Parts {
    settings: Settings,
    writer: SwitchedWriter,
    clock: Arc<MovedClock>,
    _folder: TempDir,
    /// A socket that never listens. While it is bound, the system gives the port to no other program.
    _port: Option<TcpSocket>,
}

impl fmt::Debug for Reference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Reference").finish_non_exhaustive()
    }
}

impl Parts {
    /// Returns the parts of a server with a new database and a reserved port. Only on Linux may a server listen at a port at which another
    /// socket is bound; elsewhere the port is free between stop and start.
    fn new(settings: Settings, writer: Option<Arc<dyn ArticleGenerator>>) -> std::io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("contentgen-").tempdir()?;
        let socket = TcpSocket::new_v4()?;
        socket.set_reuseaddr(true)?;
        socket.bind((Ipv4Addr::LOCALHOST, 0).into())?;
        let settings = Settings {
            database: Database::At(format!("sqlite:{}", folder.path().join("server.db").display())),
            listen: Some(socket.local_addr()?),
            ..settings
        };
        let port = cfg!(target_os = "linux").then_some(socket);
        let writer = writer.unwrap_or_else(|| Arc::new(OfflineWriter));
        let writer = SwitchedWriter { writer, state: watch::Sender::default() };
        Ok(Self { settings, writer, clock: Arc::default(), _folder: folder, _port: port })
    }

    async fn start(&self) -> Result<Running, StartError> {
        let builder = Server::builder().settings(self.settings.clone()).clock(Arc::<MovedClock>::clone(&self.clock));
        builder.generator(Arc::new(self.writer.clone())).start().await
    }
}

impl Reference {
    /// Starts it with a temporary database.
    ///
    /// # Errors
    /// Returns the server's error if it cannot start.
    pub async fn start() -> Result<Self, SetUpError> {
        Self::start_as(Settings::demo(), None).await
    }

    /// Starts it with these settings, apart from database and port, and with another writer, if any. Its clock can be moved.
    ///
    /// # Errors
    /// Returns the server's error if it cannot start.
    pub async fn start_as(settings: Settings, writer: Option<Arc<dyn ArticleGenerator>>) -> Result<Self, SetUpError> {
        let failed =
            |error: &dyn fmt::Display| SetUpError::Target(format!("the reference server did not start: {error}"));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("reference-server")
            .enable_all()
            .build()
            .map_err(|error| failed(&error))?;
        let starting = runtime.spawn(async move {
            let parts = Parts::new(settings, writer).map_err(|error| error.to_string())?;
            let running = parts.start().await.map_err(|error| error.to_string())?;
            Ok::<_, String>((parts, running))
        });
        match starting.await.map_err(|error| error.to_string()).flatten() {
            Ok((parts, running)) => Ok(Self {
                runtime: Some(runtime),
                base_url: running.base_url().unwrap_or_default().to_owned(),
                accounts: running.accounts().to_vec(),
                server: Arc::new(RwLock::new(Some(running))),
                parts: Arc::new(parts),
            }),
            Err(error) => {
                runtime.shutdown_background();
                Err(failed(&error))
            }
        }
    }

    /// Returns the server as a target, with all capabilities that the checks use.
    pub fn target(&self) -> Target {
        let accounts = &self.accounts;
        let account = |index: usize| Account {
            api_key: accounts[index].api_key.clone(),
            website_id: Some(accounts[index].website_id.clone()),
        };
        let mut target = Target::new(&self.base_url, account(0));
        "--reference".clone_into(&mut target.flag);
        target.ready_within = Some(READY_WITHIN);
        target.other_account = Some(account(1));
        let key = |key: &String| Some(Account { api_key: key.clone(), website_id: None });
        target.small_quota = key(&accounts[0].limited_api_key);
        target.narrow_scope = key(&accounts[0].narrow_api_key);
        target.revoked_key = key(&accounts[0].revoked_api_key);
        target.expired_key = key(&accounts[0].expired_api_key);
        target.restricted_key = Some(Account {
            api_key: accounts[0].restricted_api_key.clone(),
            website_id: Some(accounts[0].restricted_website_id.clone()),
        });
        target.failing_job = Some(FailingJob { topic: Some(accounts[0].failing_topic.clone()), website_id: None });
        target.inactive_website_id = Some(accounts[0].inactive_website_id.clone());
        target.double_opt_in_website_id = Some(accounts[0].restricted_website_id.clone());
        target.capture = Some(Capture {
            method: "POST".to_owned(),
            url: "{base_url}/capture/{website_id}".to_owned(),
            // All fields of a lead, so that its whole schema is checked.
            json: Some(json!({
                "email": "{email}",
                "name": "{name}",
                "message": "{message}",
                "company": "Harbour Bakery",
                "phone": "+41446681800",
                "fields": { "size": "two" },
                "source": {
                    "page_url": "http://localhost/page",
                    "referrer": "http://localhost/",
                    "form_id": "contact",
                    "utm": { "source": "letter" },
                },
                "consent": { "given": true, "text": "You may write to me." },
            })),
            form: None,
        });
        if let Some(runtime) = &self.runtime {
            let administrator = || Administrator {
                server: Arc::clone(&self.server),
                parts: Arc::clone(&self.parts),
                account: accounts[0].name.clone(),
                handle: runtime.handle().clone(),
            };
            let website_id = accounts[0].pausable_website_id.clone();
            target.clock = Some(Arc::new(MovableClock::new(Arc::<MovedClock>::clone(&self.parts.clock))));
            target.writer = Some(Arc::new(BreakableWriter::new(Arc::new(self.parts.writer.clone()))));
            target.eraser = Some(Arc::new(administrator()));
            target.restarter = Some(Arc::new(administrator()));
            target.pausable = Some(Arc::new(PausableWebsite::new(website_id, Arc::new(administrator()))));
            target.hooks = Some(HookSetUp {
                standard_webhooks: true,
                probe_private_addresses: true,
                retry_within: Some(RETRY_WITHIN),
                ..HookSetUp::loopback(Some(Arc::new(administrator())))
            });
        }
        target
    }
}

impl Drop for Reference {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // The database is temporary, so there is no need to wait.
            runtime.shutdown_background();
        }
    }
}

/// The clock of the server: the machine's time, plus the moves of the suite. It moves both times, as if the time had passed.
#[derive(Debug, Default)]
struct MovedClock {
    machine: SlewedClock,
    ahead_millis: AtomicI64,
}

impl Clock for MovedClock {
    fn wall(&self) -> Timestamp {
        self.machine.wall().plus_millis(self.ahead_millis.load(Ordering::SeqCst))
    }

    fn steady(&self) -> Timestamp {
        self.machine.steady().plus_millis(self.ahead_millis.load(Ordering::SeqCst))
    }
}

impl ClockSwitch for MovedClock {
    fn advance(&self, by: Duration) -> BoxFuture<'_, Result<(), String>> {
        let millis = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        self.ahead_millis.fetch_add(millis, Ordering::SeqCst);
        std::future::ready(Ok(())).boxed()
    }
}

/// The writer of the server, which the suite can break.
#[derive(Debug, Clone)]
struct SwitchedWriter {
    writer: Arc<dyn ArticleGenerator>,
    state: watch::Sender<WriterState>,
}

impl SwitchedWriter {
    /// Waits while the writer hangs. Returns an error if it fails then.
    async fn ready(&self) -> Result<(), GenerationError> {
        let mut state = self.state.subscribe();
        // The sender lives as long as this.
        match state.wait_for(|state| *state != WriterState::Hangs).await.as_deref() {
            Ok(WriterState::Works) => Ok(()),
            _ => Err(GenerationError::new(FailureCode::GeneratorUnavailable, "The writer is switched off.")),
        }
    }
}

#[async_trait]
impl ArticleGenerator for SwitchedWriter {
    fn name(&self) -> String {
        self.writer.name()
    }

    async fn draft(&self, brief: &ArticleBrief) -> Result<ArticleDraft, GenerationError> {
        self.ready().await?;
        self.writer.draft(brief).await
    }

    async fn revise(
        &self,
        brief: &ArticleBrief,
        draft: &ArticleDraft,
        report: &VoiceReport,
        repair: u32,
    ) -> Result<ArticleDraft, GenerationError> {
        self.writer.revise(brief, draft, report, repair).await
    }

    fn metered(&self, meter: &UsageMeter) -> Option<Arc<dyn ArticleGenerator>> {
        let writer = self.writer.metered(meter)?;
        Some(Arc::new(Self { writer, state: self.state.clone() }))
    }
}

impl WriterSwitch for SwitchedWriter {
    fn switch(&self, state: WriterState) -> BoxFuture<'_, Result<(), String>> {
        self.state.send_replace(state);
        std::future::ready(Ok(())).boxed()
    }
}

/// Registers webhooks, pauses websites, erases leads and restarts the server like its administrator.
struct Administrator {
    server: Arc<RwLock<Option<Running>>>,
    parts: Arc<Parts>,
    account: String,
    handle: Handle,
}

impl fmt::Debug for Administrator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Administrator").field("account", &self.account).finish_non_exhaustive()
    }
}

impl Administrator {
    /// Runs on the server's own threads.
    fn run<Done, Work, Future>(&self, work: Work) -> BoxFuture<'_, Result<Done, String>>
    where
        Done: Send + 'static,
        Work: FnOnce(OwnedRwLockReadGuard<Option<Running>, Running>, String) -> Future + Send + 'static,
        Future: std::future::Future<Output = Result<Done, String>> + Send + 'static,
    {
        let (server, account) = (Arc::clone(&self.server), self.account.clone());
        let done = self.handle.spawn(async move {
            let running = OwnedRwLockReadGuard::try_map(server.read_owned().await, Option::as_ref);
            work(running.map_err(|_| "the server did not start again".to_owned())?, account).await
        });
        async move { done.await.map_err(|error| error.to_string())? }.boxed()
    }

    fn create(&self, url: String, events: Vec<EventType>) -> BoxFuture<'_, Result<Registration, String>> {
        self.run(async move |running, account| {
            let created = running.create_hook(&account, &url, &events).await;
            let (id, secret) = created.map_err(|error| error.to_string())?;
            Ok(Registration { id: Some(id), secret: Some(secret) })
        })
    }
}

impl Administrator {
    fn set_status(&self, website_id: String, status: WebsiteStatus) -> BoxFuture<'_, Result<(), String>> {
        self.run(async move |running, account| {
            let account = running.app().account(&account).await.map_err(|error| error.to_string())?;
            let done = running.app().set_website_status(&account, &website_id, status).await;
            done.map_err(|error| error.to_string())
        })
    }
}

impl WebsiteSwitch for Administrator {
    fn pause(&self, website_id: String) -> BoxFuture<'_, Result<(), String>> {
        self.set_status(website_id, WebsiteStatus::Paused)
    }

    fn resume(&self, website_id: String) -> BoxFuture<'_, Result<(), String>> {
        self.set_status(website_id, WebsiteStatus::Active)
    }
}

impl LeadEraser for Administrator {
    fn erase(&self, lead_id: String) -> BoxFuture<'_, Result<(), String>> {
        self.run(async move |running, account| {
            let account = running.app().account(&account).await.map_err(|error| error.to_string())?;
            running.app().erase_lead(&account, &lead_id).await.map(drop).map_err(|error| error.to_string())
        })
    }
}

impl Restarter for Administrator {
    fn restart(&self) -> BoxFuture<'_, Result<(), String>> {
        let (server, parts) = (Arc::clone(&self.server), Arc::clone(&self.parts));
        let done = self.handle.spawn(async move {
            let mut server = server.write_owned().await;
            if let Some(running) = server.take() {
                running.stop().await;
            }
            *server = Some(parts.start().await.map_err(|error| error.to_string())?);
            Ok(())
        });
        async move { done.await.map_err(|error| error.to_string())? }.boxed()
    }
}

impl HookRegistrar for Administrator {
    fn register(&self, url: String) -> BoxFuture<'_, Result<Registration, String>> {
        self.create(url, CHOSEN.to_vec())
    }

    fn remove(&self, registration: Registration) -> BoxFuture<'_, Result<(), String>> {
        let id = registration.id.unwrap_or_default();
        self.run(async move |running, account| {
            running.remove_hook(&account, &id).await.map_err(|error| error.to_string())
        })
    }

    fn offers(&self, _ability: HookAbility) -> bool {
        true
    }

    fn register_leads(&self, url: String) -> BoxFuture<'_, Result<Registration, String>> {
        self.create(url, vec![EventType::LeadCaptured])
    }

    fn rotate(&self, registration: Registration) -> BoxFuture<'_, Result<Registration, String>> {
        let id = registration.id.unwrap_or_default();
        self.run(async move |running, account| {
            let account = running.app().account(&account).await.map_err(|error| error.to_string())?;
            let rotated = running.app().rotate_secret(&account, &id, DEFAULT_SECRET_OVERLAP).await;
            let secret = rotated.map_err(|error| error.to_string())?.secret.reveal();
            Ok(Registration { id: Some(id), secret: Some(secret) })
        })
    }

    fn redeliver(&self, registration: Registration, event: String) -> BoxFuture<'_, Result<(), String>> {
        let id = registration.id.unwrap_or_default();
        self.run(async move |running, account| {
            let account = running.app().account(&account).await.map_err(|error| error.to_string())?;
            let queued = running.app().redeliver_event(&account, &id, &event).await;
            queued.map(drop).map_err(|error| error.to_string())
        })
    }
}
