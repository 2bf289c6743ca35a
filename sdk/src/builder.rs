//! Building a client: the key, the server, the options, and the connections below.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT, HeaderMap, HeaderValue, USER_AGENT};

use crate::config::{self, ConfigError};
use crate::error_words::innermost;
use crate::generated::Client;
use crate::key::ApiKey;
use crate::options::RequestOptions;
use crate::platform::{self, Connecting, Identity, ProxyUrl, TlsBackend};
use crate::retry_budget::RetryBudget;
use crate::settings::{Settings, SharedState};

/// What this crate calls itself in the `User-Agent` header.
const AGENT: &str = concat!("contentgen-sdk-rust/", env!("CARGO_PKG_VERSION"));

/// How many repetitions a client's calls have together, unless the builder is told otherwise.
const RETRY_BUDGET: u32 = 100;

/// Builds a [`Client`].
///
/// ```
/// # fn main() -> Result<(), contentgen_sdk::ConfigError> {
/// let client = contentgen_sdk::Client::builder()
///     .base_url("https://content.example")
///     .api_key("live_4f9z") // from the dashboard
///     .app_info("blog-tool/1.2")
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
    is_without_key: bool,
    options: RequestOptions,
    app_info: Option<String>,
    retry_budget: Option<u32>,
    http_client: Option<reqwest::Client>,
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

    /// The platform key from the dashboard. It is sent to the base URL's host, with the operations that need one, and shown nowhere.
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(Secret(key.into()));
        self.is_without_key = false;
        self
    }

    /// Builds a client without a key, for the operations that need none: `capture_lead`. Any other operation is refused before it is
    /// sent, with [`ErrorKind::Config`](crate::ErrorKind::Config). A key that was given is dropped.
    pub fn without_key(mut self) -> Self {
        self.key = None;
        self.is_without_key = true;
        self
    }

    /// The options of the client's calls.
    pub fn options(mut self, options: RequestOptions) -> Self {
        self.options = options;
        self
    }

    /// The name and version of the application, which the `User-Agent` header then begins with: `blog-tool/1.2`.
    pub fn app_info(mut self, name: impl Into<String>) -> Self {
        self.app_info = Some(name.into());
        self
    }

    /// How many repetitions the calls of the client, of its clones and of those with other options have together; 100 unless set, 0 turns
    /// repetitions off, and `u32::MAX` of them are never used up. Five calls that succeed at once earn one, and a call that succeeds
    /// after repetitions gives them back. A server that is down is then not asked several times for each call.
    pub fn retry_budget(mut self, repetitions: u32) -> Self {
        self.retry_budget = Some(repetitions);
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

    /// Sends every request through this proxy, also to a server on the machine itself, whatever the environment and the system's settings
    /// say: `http://host:port` or `https://host:port`, with `user:password@` where it asks for them. Over plain http to the server, the
    /// proxy sees the key. Inside of JavaScript, `fetch` decides.
    pub fn proxy(mut self, url: impl Into<String>) -> Self {
        self.connecting.proxy = Some(ProxyUrl(url.into()));
        self
    }

    /// Trusts the authorities of these certificates, beside those of the operating system: one or more in a PEM text (RFC 7468). May be
    /// called several times. Android and JavaScript trust their own authorities only.
    pub fn root_certificates(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.connecting.root_certificates.push(pem.into());
        self
    }

    /// Shows this certificate to servers that ask for one: a PEM text with the client's own first and those behind it after that, and one
    /// with its private key. With the feature `native-tls` the key is PKCS #8; rustls also reads PKCS #1 and SEC 1. Inside of JavaScript,
    /// `fetch` decides.
    pub fn client_certificate(mut self, certificates: impl Into<Vec<u8>>, private_key: impl Into<Vec<u8>>) -> Self {
        self.connecting.identity = Some(Identity::new(certificates.into(), private_key.into()));
        self
    }

    /// What speaks TLS, where the features `rustls` and `native-tls` are both on; `Native` unless set.
    pub fn tls(mut self, backend: TlsBackend) -> Self {
        self.connecting.tls = Some(backend);
        self
    }

    /// Sends requests by this client, for what the other methods cannot say. What it was built with counts then: its certificates, proxies,
    /// redirects, time limits and limits of what is unpacked, and nothing that this builder was told about connections. The key is sent
    /// with each request, to the base URL; turn its redirects off, so that it goes nowhere else. Retries, limits and tracing stay this
    /// crate's; but a failed connection may be that of a redirect, so that after one a `generate` is not repeated, nor after any error
    /// behind one.
    pub fn http_client(mut self, client: reqwest::Client) -> Self {
        self.http_client = Some(client);
        self
    }

    /// The client.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] says what is missing or wrong.
    pub fn build(self) -> Result<Client, ConfigError> {
        let base = config::base_url(self.base_url.as_deref().ok_or(ConfigError::MissingBaseUrl)?)?;
        let key = match self.key {
            Some(key) => ApiKey::parse(&key.0)?,
            None if self.is_without_key => ApiKey::none(),
            None => return Err(ConfigError::MissingKey),
        };
        let agent = self.app_info.map_or_else(|| AGENT.to_owned(), |name| format!("{name} {AGENT}"));
        let agent = HeaderValue::try_from(agent).map_err(|_| {
            ConfigError::Transport(
                "the application name contains characters that are not allowed in a header".to_owned(),
            )
        })?;
        // The key is added to each request that needs one.
        let headers = [(ACCEPT, HeaderValue::from_static("application/json")), (USER_AGENT, agent)];
        let headers = HeaderMap::from_iter(headers);
        let is_foreign_client = self.http_client.is_some();
        let (connections, headers) = if let Some(client) = self.http_client {
            // It does not know them, so each request has them.
            (client, headers)
        } else {
            // The layer below adds them to each request; no redirect leads them elsewhere.
            let connections = platform::connections(&base, &self.connecting)?.default_headers(headers);
            let connections = connections.build().map_err(|error| ConfigError::Transport(innermost(&error)))?;
            (connections, HeaderMap::new())
        };
        let base = base.as_str().trim_end_matches('/');
        let shared = Arc::new(SharedState::new(RetryBudget::new(self.retry_budget.unwrap_or(RETRY_BUDGET))));
        let inner = Settings { key, options: self.options, headers, is_foreign_client, shared };
        Ok(Client { baseurl: base.to_owned(), client: connections, inner })
    }
}
