//! The blocking client.

use std::future::IntoFuture;
use std::sync::Arc;

use super::items::Items;
use super::runtime::Runtime;
use crate::config::ConfigError;
use crate::error::Error;
use crate::options::{EffectiveOptions, RequestOptions};
use crate::pagination::Paged;

/// A client whose calls block until they are done. Cloning is cheap and shares the connections.
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
    /// let job = client.get_job("job_1")?;
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

    /// The same client with other options, for one call or for many. Options that are not set here are those of this client:
    ///
    /// ```no_run
    /// # fn example(client: contentgen_sdk::blocking::Client) -> Result<(), contentgen_sdk::Error> {
    /// let once = client.with_options(contentgen_sdk::RequestOptions::default().max_retries(0));
    /// let job = once.get_job("job_1")?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_options(&self, options: RequestOptions) -> Self {
        Self { runtime: Arc::clone(&self.runtime), api: self.api.with_options(options) }
    }

    /// The options that this client's calls have.
    pub fn options(&self) -> &EffectiveOptions {
        self.api.options()
    }

    /// Makes any call of the asynchronous client and returns its result. Use it for calls that the other methods do not offer:
    ///
    /// ```no_run
    /// # fn example(client: contentgen_sdk::blocking::Client) -> Result<(), contentgen_sdk::Error> {
    /// let job = client.call(|api| api.get_job("job_1").if_none_match("\"7\"").send())?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The error of the call.
    ///
    /// # Panics
    ///
    /// Inside asynchronous code, whose thread it would block. Calls do work on the threads of tokio's `spawn_blocking` and within
    /// `block_in_place`.
    pub fn call<'a, T, F>(&'a self, call: impl FnOnce(&'a crate::Client) -> F) -> Result<T, Error>
    where
        F: IntoFuture<Output = Result<T, Error>>,
    {
        self.runtime.wait(async { call(&self.api).await })
    }

    /// The items of a list over all its pages, fetched on demand. The iterator ends after an error, unless that is about a single item.
    pub fn items<'a, R: Paged>(&'a self, list: impl FnOnce(&'a crate::Client) -> R) -> Items<'a, R> {
        Items::new(&self.runtime, crate::pagination::Items::new(list(&self.api)))
    }
}
