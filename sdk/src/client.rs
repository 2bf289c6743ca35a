//! The client: what its calls share, and clients on the same connections with other options or another key.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use reqwest::header::HeaderMap;

use crate::builder::ClientBuilder;
use crate::config::{self, ConfigError, KEY_VARIABLE, URL_VARIABLE};
use crate::key::ApiKey;
use crate::options::{EffectiveOptions, RequestOptions};
use crate::retry::RetryBudget;

/// A client for one server and one key.
///
/// Each operation of the API is a method that returns a builder. Set what the operation takes, then `send` it. Cloning is cheap and
/// shares the connections. [`Client::builder`] and [`Client::from_env`] make clients.
///
/// ```no_run
/// # async fn example() -> Result<(), contentgen_sdk::Error> {
/// let client = contentgen_sdk::Client::from_env()?;
/// let queued = client.generate().topic("Raised beds for a small garden").website_id("web_1").send().await?;
/// println!("queued as {}", queued.job_id);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Client {
    pub(crate) inner: Arc<Inner>,
}

/// Settings of a client.
#[derive(Clone, Debug)]
pub(crate) struct Inner {
    /// Base URL without a slash at its end.
    pub(crate) base_url: String,
    pub(crate) http: reqwest::Client,
    pub(crate) key: ApiKey,
    pub(crate) options: EffectiveOptions,
    /// Headers that each request must carry because the HTTP client does not add them.
    pub(crate) headers: HeaderMap,
    /// True if the application's own HTTP client sends the requests. It may follow redirects.
    pub(crate) is_foreign_client: bool,
    /// Shared by all clients on the same connections.
    pub(crate) server: Arc<ServerEvidence>,
    /// Shared by all clients on the same connections with the same key.
    pub(crate) usage: Arc<Usage>,
}

/// Learned properties of the server.
#[derive(Debug, Default)]
pub(crate) struct ServerEvidence {
    keeps_keys: AtomicBool,
}

/// State that the calls with one key share.
#[derive(Debug)]
pub(crate) struct Usage {
    /// Remaining retries.
    pub(crate) retry_budget: RetryBudget,
    responses: AtomicUsize,
}

impl Client {
    /// A builder with default options and neither key nor base URL.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::default()
    }

    /// A client with the key in `CONTENTGEN_API_KEY` and the base URL in `CONTENTGEN_BASE_URL`.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] when one of them is missing or cannot be used.
    pub fn from_env() -> Result<Self, ConfigError> {
        let mut builder = Self::builder();
        if let Some(key) = config::variable(KEY_VARIABLE) {
            builder = builder.api_key(key);
        }
        if let Some(url) = config::variable(URL_VARIABLE) {
            builder = builder.base_url(url);
        }
        builder.build()
    }

    /// Returns a client on the same connections with other options. Options that `options` does not set stay as they are.
    ///
    /// ```no_run
    /// # use contentgen_sdk::{Client, Error, RequestOptions};
    /// # async fn example(client: Client) -> Result<(), Error> {
    /// let once = client.with_options(RequestOptions::default().max_retries(0));
    /// let job = once.get_job("job_1").send().await?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_options(&self, options: RequestOptions) -> Self {
        self.changed(|inner| inner.options.merge(options))
    }

    /// Returns a client on the same connections with another key, for a program that has many keys for one server.
    ///
    /// The clients share the connections, the options, and the evidence that the server keeps
    /// [idempotency keys](RequestOptions::server_keeps_idempotency_keys). The new client has its own retry budget of the same size, so a key
    /// that exceeds its quota does not use up the retries of the other keys.
    ///
    /// ```
    /// # fn main() -> Result<(), contentgen_sdk::ConfigError> {
    /// let agency = contentgen_sdk::Client::builder().base_url("https://content.example").without_key().build()?;
    /// let first = agency.with_api_key("live_4f9z")?;
    /// let second = agency.with_api_key("live_7k2m")?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ConfigError`] if the key is empty or contains characters that are not allowed in a key.
    pub fn with_api_key(&self, key: impl AsRef<str>) -> Result<Self, ConfigError> {
        let key = ApiKey::parse(key.as_ref())?;
        Ok(self.changed(|inner| {
            inner.key = key;
            inner.usage = Arc::new(Usage::new(inner.usage.retry_budget.refilled()));
        }))
    }

    /// Copies the client and changes the copy.
    fn changed(&self, change: impl FnOnce(&mut Inner)) -> Self {
        let mut inner = Inner::clone(&self.inner);
        change(&mut inner);
        Self { inner: Arc::new(inner) }
    }

    /// Options of this client's calls.
    pub fn options(&self) -> &EffectiveOptions {
        &self.inner.options
    }

    /// Base URL of the server, without a slash at its end.
    pub fn base_url(&self) -> &str {
        &self.inner.base_url
    }
}

impl ServerEvidence {
    /// Records that the server keeps idempotency keys.
    pub(crate) fn learn_that_keys_are_kept(&self) {
        self.keeps_keys.store(true, Ordering::Relaxed);
    }

    /// Returns true if the server has shown that it keeps idempotency keys.
    pub(crate) fn keeps_keys(&self) -> bool {
        self.keeps_keys.load(Ordering::Relaxed)
    }
}

impl Usage {
    /// Makes the state of a client that has sent nothing.
    pub(crate) fn new(retry_budget: RetryBudget) -> Self {
        Self { retry_budget, responses: AtomicUsize::new(0) }
    }

    /// Counts a response of any status.
    pub(crate) fn count_response(&self) {
        self.responses.fetch_add(1, Ordering::Relaxed);
    }

    /// Number of responses so far.
    pub(crate) fn responses(&self) -> usize {
        self.responses.load(Ordering::Relaxed)
    }
}
