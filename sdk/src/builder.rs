//! Building a client: the key, the server, the options, and the connections below.

use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderValue};

use crate::config::{self, ConfigError};
use crate::error_words::innermost;
use crate::generated::Client;
use crate::key::ApiKey;
use crate::options::RequestOptions;
use crate::platform::{self, Connecting};
use crate::settings::Settings;

/// What this crate calls itself in the `User-Agent` header.
const USER_AGENT: &str = concat!("contentgen-sdk-rust/", env!("CARGO_PKG_VERSION"));

/// Builds a [`Client`].
///
/// ```
/// # fn main() -> Result<(), contentgen_sdk::ConfigError> {
/// let client = contentgen_sdk::Client::builder()
///     .base_url("https://content.example")
///     .api_key("live_4f9z") // from the dashboard
///     .application("blog-tool/1.2")
///     .options(contentgen_sdk::RequestOptions::default().max_retries(5))
///     .build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "a builder does nothing until it builds"]
pub struct ClientBuilder {
    base_url: Option<String>,
    key: Option<Secret>,
    options: RequestOptions,
    application: Option<String>,
    connecting: Connecting,
}

/// A key that has not been looked at yet.
#[derive(Clone)]
struct Secret(String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(crate::key::REDACTED)
    }
}

impl ClientBuilder {
    /// The server, with scheme and host; a path before `/api/v1/` is kept.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// The platform key from the dashboard. It is sent to the base URL's host and shown nowhere.
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(Secret(key.into()));
        self
    }

    /// The options of the client's calls.
    pub fn options(mut self, options: RequestOptions) -> Self {
        self.options = options;
        self
    }

    /// The name and version of the application, which the `User-Agent` header then begins with: `blog-tool/1.2`.
    pub fn application(mut self, name: impl Into<String>) -> Self {
        self.application = Some(name.into());
        self
    }

    /// How long connecting may take, as a part of an attempt: finding the address, a proxy, and TLS included; 10 s unless set. Inside
    /// of JavaScript, `fetch` decides.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connecting.timeout = timeout;
        self
    }

    /// Connects directly, whatever `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and the system's settings say. A server on the machine
    /// itself is never asked through a proxy. Inside of JavaScript, `fetch` decides.
    pub fn no_proxy(mut self) -> Self {
        self.connecting.is_direct = true;
        self
    }

    /// The client.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] says what is missing or wrong.
    pub fn build(self) -> Result<Client, ConfigError> {
        let base = config::base_url(self.base_url.as_deref().ok_or(ConfigError::MissingBaseUrl)?)?;
        let key = ApiKey::parse(&self.key.ok_or(ConfigError::MissingKey)?.0)?;
        let agent = self.application.map_or_else(|| USER_AGENT.to_owned(), |name| format!("{name} {USER_AGENT}"));
        let headers = [(AUTHORIZATION, key.header()), (ACCEPT, HeaderValue::from_static("application/json"))];
        let connections = platform::connections(&base, &self.connecting)?
            .user_agent(agent)
            // The layer below adds them to each request; no redirect leads them elsewhere.
            .default_headers(HeaderMap::from_iter(headers));
        let connections = connections.build().map_err(|error| ConfigError::Transport(innermost(&error)))?;
        let base = base.as_str().trim_end_matches('/');
        Ok(Client::new_with_client(base, connections, Settings { key, options: self.options }))
    }
}
