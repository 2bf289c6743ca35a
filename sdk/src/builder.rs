//! Building a client: the key, the server, the options, and the connections below.

use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderValue};

use crate::config::{self, ConfigError};
use crate::error_from::innermost;
use crate::generated::Client;
use crate::key::ApiKey;
use crate::options::RequestOptions;
use crate::settings::Settings;

/// What this crate calls itself in the `User-Agent` header.
const USER_AGENT: &str = concat!("contentgen-sdk-rust/", env!("CARGO_PKG_VERSION"));
/// How long connecting may take, as a part of an attempt.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Builds a [`Client`].
///
/// ```
/// # fn main() -> Result<(), contentgen_sdk::ConfigError> {
/// let client = contentgen_sdk::Client::builder()
///     .base_url("http://127.0.0.1:8080")
///     .api_key("the key from the dashboard")
///     .build();
/// assert!(client.is_err(), "a key has no spaces");
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
        install_tls_provider();
        let mut connections = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            // Calls are repeated by this crate, as often as the options say and whatever they failed of: the layer below, which would
            // repeat what a server on HTTP/2 refused unread, needs no copy of each request.
            .retry(reqwest::retry::never().max_retries_per_request(0))
            .user_agent(agent)
            // The layer below adds them to each request; no redirect leads them elsewhere.
            .default_headers(HeaderMap::from_iter(headers));
        if base.scheme() == "http" {
            connections = without_certificates(connections);
        } else if !cfg!(any(feature = "rustls", feature = "native-tls")) {
            return Err(ConfigError::Transport(
                "https needs the feature `rustls` or `native-tls` of this crate".to_owned(),
            ));
        }
        let connections = connections.build().map_err(|error| ConfigError::Transport(innermost(&error)))?;
        let base = base.as_str().trim_end_matches('/');
        Ok(Client::new_with_client(base, connections, Settings { key, options: self.options }))
    }
}

/// Gives rustls a provider of cryptography, unless the application has chosen one.
fn install_tls_provider() {
    #[cfg(feature = "rustls")]
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // Losing the race to another thread that installs one is as good as winning it.
        let _installed = rustls::crypto::ring::default_provider().install_default();
    }
}

/// Leaves the machine's certificates alone where no TLS is spoken: a machine without any can still reach a server by
/// plain HTTP, and building the client takes microseconds. No redirect leads from there to https.
#[cfg(any(feature = "rustls", feature = "native-tls"))]
fn without_certificates(connections: reqwest::ClientBuilder) -> reqwest::ClientBuilder {
    connections.tls_certs_only([])
}

/// Without a TLS feature there are no certificates to leave alone.
#[cfg(not(any(feature = "rustls", feature = "native-tls")))]
fn without_certificates(connections: reqwest::ClientBuilder) -> reqwest::ClientBuilder {
    connections
}
