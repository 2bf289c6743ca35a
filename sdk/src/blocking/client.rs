//! The blocking client.

use std::sync::Arc;

use super::runtime::Runtime;
use crate::config::ConfigError;
use crate::options::{EffectiveOptions, RequestOptions};

/// A client whose calls block until they are done. Cloning is cheap and shares the connections.
///
/// Its methods have the names of those of [`Client`](crate::Client), and return the same builders. Where asynchronous code awaits, call
/// `send`, `wait`, or iterate:
///
/// ```no_run
/// # fn example(client: contentgen_sdk::blocking::Client) -> Result<(), contentgen_sdk::Error> {
/// let queued = client.generate().topic("Raised beds").website_id("web_1").idempotency_key("row-7").send()?;
/// let article = client.wait_for_article(&queued.job_id).on_progress(|job| println!("{}", job.status)).wait()?;
/// let leads = client.list_leads().limit(100).items().collect::<Result<Vec<_>, _>>()?;
/// # Ok(())
/// # }
/// ```
///
/// # Panics
///
/// Calls panic inside asynchronous code, because they would block its thread. They do work on the threads of tokio's `spawn_blocking` and
/// within `block_in_place`.
#[derive(Clone, Debug)]
pub struct Client {
    runtime: Arc<Runtime>,
    api: crate::Client,
}

impl Client {
    /// A client with the key in `CONTENTGEN_API_KEY` and the base URL in `CONTENTGEN_BASE_URL`.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] when one of them is missing or cannot be used, or no thread could be started.
    pub fn from_env() -> Result<Self, ConfigError> {
        Self::new(crate::Client::from_env()?)
    }

    /// A blocking client with the settings of an asynchronous one:
    ///
    /// ```no_run
    /// # fn main() -> Result<(), contentgen_sdk::Error> {
    /// let api = contentgen_sdk::Client::builder().base_url("https://api.example.com").api_key("live_…").build()?;
    /// let client = contentgen_sdk::blocking::Client::new(api)?;
    /// let job = client.get_job("job_1").send()?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ConfigError`] when no thread could be started.
    pub fn new(api: crate::Client) -> Result<Self, ConfigError> {
        Ok(Self { runtime: Arc::new(Runtime::start()?), api })
    }

    /// Returns a client on the same connections with other options: see [`Client::with_options`](crate::Client::with_options).
    #[must_use]
    pub fn with_options(&self, options: RequestOptions) -> Self {
        Self { runtime: Arc::clone(&self.runtime), api: self.api.with_options(options) }
    }

    /// Returns a client on the same connections with another key: see [`Client::with_api_key`](crate::Client::with_api_key).
    ///
    /// # Errors
    ///
    /// [`ConfigError`] if the key is empty or contains characters that are not allowed in a key.
    pub fn with_api_key(&self, key: impl AsRef<str>) -> Result<Self, ConfigError> {
        Ok(Self { runtime: Arc::clone(&self.runtime), api: self.api.with_api_key(key)? })
    }

    /// Options of this client's calls.
    pub fn options(&self) -> &EffectiveOptions {
        self.api.options()
    }

    /// Base URL of the server, without a slash at its end.
    pub fn base_url(&self) -> &str {
        self.api.base_url()
    }

    /// Returns the asynchronous client below.
    pub(crate) fn api(&self) -> crate::Client {
        self.api.clone()
    }

    /// Runs a call to its end.
    pub(crate) fn wait<F: Future>(&self, call: F) -> F::Output {
        self.runtime.wait(call)
    }
}
