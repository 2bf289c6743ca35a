//! A running server and how to stop it. `start` starts it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::app::{AdminError, App, HookSettings};
use crate::demo::DemoAccount;
use crate::domain::event::EventType;
use crate::domain::public_url::PublicUrl;

/// Maximum time for the listeners to close their sockets.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
/// Maximum time for the store to close its connections.
const STORE_CLOSE_TIMEOUT: Duration = Duration::from_secs(3);

/// A running server. It keeps running when this is dropped; [`Running::stop`] stops it.
pub struct Running {
    pub(super) base_url: Option<String>,
    pub(super) public_url: PublicUrl,
    pub(super) site_url: PublicUrl,
    pub(super) serves_dashboard: bool,
    pub(super) metrics_url: Option<String>,
    pub(super) writer: Option<String>,
    pub(super) database: String,
    pub(super) accounts: Vec<DemoAccount>,
    pub(super) app: Arc<App>,
    /// Cancelled first, to start no new work.
    pub(super) stopping: CancellationToken,
    /// Cancelled last, to close the listeners.
    pub(super) closing: CancellationToken,
    /// Connections and loops that [`Running::stop`] waits for.
    pub(super) tracker: TaskTracker,
    /// The listeners, which run until everything else has stopped.
    pub(super) listeners: TaskTracker,
    pub(super) drain: Duration,
    pub(super) folder: Option<TempDir>,
}

impl fmt::Debug for Running {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Running").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}

impl Running {
    /// Returns the scheme, host and port at which this process serves the API, without a trailing slash. `None` if it does
    /// not listen.
    pub fn base_url(&self) -> Option<&str> {
        self.base_url.as_deref()
    }

    /// Returns the public URL of the API.
    pub const fn public_url(&self) -> &PublicUrl {
        &self.public_url
    }

    /// Returns the public URL of the hosted site.
    pub const fn site_url(&self) -> &PublicUrl {
        &self.site_url
    }

    /// Returns the URL of the dashboard; `None` for a process without the dashboard.
    pub fn dashboard_url(&self) -> Option<String> {
        self.serves_dashboard.then(|| self.public_url.absolute("/dashboard"))
    }

    /// Returns the one-time link with which the user of a demonstration account signs in.
    pub fn sign_in_url(&self, account: &DemoAccount) -> Option<String> {
        Some(format!("{}/sign-in/{}", self.dashboard_url()?, account.sign_in_token))
    }

    /// Returns the URL of the metrics; `None` if they are not served.
    pub fn metrics_url(&self) -> Option<&str> {
        self.metrics_url.as_deref()
    }

    /// Returns the name of the `generator` that writes articles; `None` for a process that is not a worker.
    pub fn writer(&self) -> Option<&str> {
        self.writer.as_deref()
    }

    /// Returns the address of the database, for the other commands.
    pub fn database(&self) -> &str {
        &self.database
    }

    /// Returns the accounts of the demonstration; empty for other servers.
    pub fn accounts(&self) -> &[DemoAccount] {
        &self.accounts
    }

    /// Returns the use cases, for set-up that the API does not offer.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// Registers a hook endpoint, for the default events if `events` is empty. Returns its id and its secret.
    pub async fn create_hook(
        &self,
        account_name: &str,
        url: &str,
        events: &[EventType],
    ) -> Result<(String, String), AdminError> {
        let account = self.app.account(account_name).await?;
        let events = if events.is_empty() { EventType::DEFAULT.to_vec() } else { events.to_vec() };
        let wanted =
            HookSettings { url: url.to_owned(), events, website_id: None, include_content: false, description: None };
        let endpoint = self.app.create_hook(&account, wanted).await?;
        Ok((endpoint.id, endpoint.secret.reveal()))
    }

    /// Removes a hook endpoint of the account, with its deliveries and their log.
    pub async fn remove_hook(&self, account_name: &str, endpoint_id: &str) -> Result<(), AdminError> {
        let account = self.app.account(account_name).await?;
        self.app.remove_endpoint(&account, endpoint_id).await
    }

    /// Starts no new work and lets requests and jobs finish for up to [`drain`](super::Settings::drain). Returns true if
    /// all finished. Meanwhile, new requests receive the response that the server is shutting down.
    pub async fn stop(self) -> bool {
        self.stopping.cancel();
        self.tracker.close();
        let has_drained = timeout(self.drain, self.tracker.wait()).await.is_ok();
        self.closing.cancel();
        self.listeners.close();
        drop(timeout(CLOSE_TIMEOUT, self.listeners.wait()).await);
        // Dropping the store waits for its database, so this runs on a thread that may block.
        let (app, folder) = (self.app, self.folder);
        let closing = spawn_blocking(move || drop(app));
        drop(timeout(STORE_CLOSE_TIMEOUT, closing).await);
        // Removes the temporary folder even if its database could not be closed in time.
        drop(spawn_blocking(move || drop(folder)).await);
        has_drained
    }
}
