//! Builds a client: the key, the server, the options, and the connections below.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT, HeaderMap, HeaderValue, USER_AGENT};

use crate::client::{Client, Inner, ServerEvidence, Usage};
use crate::config::{self, ConfigError};
use crate::error_words::innermost;
use crate::key::ApiKey;
use crate::options::{EffectiveOptions, RequestOptions};
use crate::platform::{self, Connecting, Identity, ProxyUrl, TlsBackend};
use crate::retry::RetryBudget;

/// Name of this crate in the `User-Agent` header.
const AGENT: &str = concat!("contentgen-sdk-rust/", env!("CARGO_PKG_VERSION"));

/// Maximum number of retries that a client's calls share, unless the builder sets another.
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
    allows_plain_http: bool,
    options: EffectiveOptions,
    app_info: Option<String>,
    retry_budget: Option<u32>,
    http_client: Option<reqwest::Client>,
    connecting: Connecting,
}

/// A key that has not been checked yet.
#[derive(Clone)]
struct Secret(String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(crate::key::REDACTED)
    }
}

impl ClientBuilder {
    /// Sets the server: scheme, host, and any path before `/api/v1/`. The builder removes spaces, quotes and slashes around the URL, and
    /// `/api/v1` at its end. The URL must begin with `https://`, except for a server on this machine: see
    /// [`allow_plain_http`](Self::allow_plain_http).
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// Allows a base URL that begins with `http://` for a server on another machine. Anyone on the way can then read the key and all data.
    /// Use it only in a network that you trust, for example between containers.
    pub fn allow_plain_http(mut self) -> Self {
        self.allows_plain_http = true;
        self
    }

    /// Sets the platform key from the dashboard. The client sends it only to the host of the base URL, with operations that need it. `Debug`
    /// does not show it.
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(Secret(key.into()));
        self.is_without_key = false;
        self
    }

    /// Builds a client without a key. [`Client::with_api_key`] makes clients with keys from it. Without a key, `capture_lead` is the only
    /// operation of the document that works. Any other fails before it is sent, with [`ErrorKind::Config`](crate::ErrorKind::Config). A key
    /// that was set before is dropped.
    pub fn without_key(mut self) -> Self {
        self.key = None;
        self.is_without_key = true;
        self
    }

    /// Sets options of the client's calls. Options that `options` does not set stay as they are.
    pub fn options(mut self, options: RequestOptions) -> Self {
        self.options.merge(options);
        self
    }

    /// Name and version of the application, put in front of the `User-Agent` header: `blog-tool/1.2`.
    pub fn app_info(mut self, name: impl Into<String>) -> Self {
        self.app_info = Some(name.into());
        self
    }

    /// Sets how many retries the calls of the client and its clones may make together; 100 unless set. A retry takes one from the budget.
    /// Five calls that succeed at the first attempt return one, and a call that succeeds after retries returns those that it took. 0 turns
    /// retries off, and `u32::MAX` sets no limit. A client with [another key](Client::with_api_key) has its own budget of this size. The
    /// budget keeps clients from sending several requests per call to a server that is down.
    pub fn retry_budget(mut self, retries: u32) -> Self {
        self.retry_budget = Some(retries);
        self
    }

    /// Time limit for connecting, as a part of an attempt; 10 s unless set. It includes name resolution, a proxy, and TLS. In JavaScript,
    /// `fetch` decides.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connecting.timeout = Some(timeout);
        self
    }

    /// Connects directly and ignores `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and the system's settings. A server on the local machine is
    /// never called through a proxy of the environment. In JavaScript, `fetch` decides.
    pub fn no_proxy(mut self) -> Self {
        self.connecting.is_direct = true;
        self
    }

    /// Sends every request through this proxy, also to a server on the local machine. It overrides the environment and the system's
    /// settings. The form is `http://host:port` or `https://host:port`, with `user:password@` if the proxy asks for them. Over plain http
    /// to the server, the proxy sees the key. In JavaScript, `fetch` decides.
    pub fn proxy(mut self, url: impl Into<String>) -> Self {
        self.connecting.proxy = Some(ProxyUrl(url.into()));
        self
    }

    /// Trusts these certificate authorities in addition to those of the operating system: one or more in a PEM text (RFC 7468). May be
    /// called several times. Android and JavaScript trust only their own authorities.
    pub fn root_certificates(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.connecting.root_certificates.push(pem.into());
        self
    }

    /// Presents this certificate to servers that ask for one. The first PEM text has the client's certificate, followed by its chain; the
    /// second one has the private key. With the feature `native-tls` the key is PKCS #8; rustls also reads PKCS #1 and SEC 1. In
    /// JavaScript, `fetch` decides.
    pub fn client_certificate(mut self, certificates: impl Into<Vec<u8>>, private_key: impl Into<Vec<u8>>) -> Self {
        self.connecting.identity = Some(Identity::new(certificates.into(), private_key.into()));
        self
    }

    /// TLS backend, if the features `rustls` and `native-tls` are both on; `Native` unless set.
    pub fn tls(mut self, backend: TlsBackend) -> Self {
        self.connecting.tls = Some(backend);
        self
    }

    /// Uses your own `reqwest::Client`, for settings that the other methods do not offer. Its own certificates, proxies, redirects, time
    /// limits and decompression limits apply. [`build`](Self::build) refuses connection settings of this builder, such as
    /// [`proxy`](Self::proxy): set them on that client. The key is sent with each request to the base URL. Turn the client's redirects off,
    /// so that the key is sent nowhere else. Retries, limits and tracing stay with this crate. With this client, a
    /// `generate` is not retried after a failed connection or a redirect: the first server may have queued the article.
    pub fn http_client(mut self, client: reqwest::Client) -> Self {
        self.http_client = Some(client);
        self
    }

    /// Builds the client.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] if something is missing or wrong.
    pub fn build(self) -> Result<Client, ConfigError> {
        let base = self.base_url.as_deref().ok_or(ConfigError::MissingBaseUrl)?;
        let base = config::base_url(base, self.allows_plain_http)?;
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
            if let Some(option) = self.connecting.set_by() {
                return Err(ConfigError::IgnoredOption(option));
            }
            // The application's client does not have these headers, so each request carries them.
            (client, headers)
        } else {
            // The HTTP client adds them to each request. It follows no redirects, so they reach no other server.
            let connections = platform::connections(&base, &self.connecting)?.default_headers(headers);
            let connections = connections.build().map_err(|error| ConfigError::Transport(innermost(&error)))?;
            (connections, HeaderMap::new())
        };
        let inner = Inner {
            base_url: base.as_str().trim_end_matches('/').to_owned(),
            http: connections,
            key,
            options: self.options,
            headers,
            is_foreign_client,
            server: Arc::new(ServerEvidence::default()),
            usage: Arc::new(Usage::new(RetryBudget::new(self.retry_budget.unwrap_or(RETRY_BUDGET)))),
        };
        Ok(Client { inner: Arc::new(inner) })
    }
}
