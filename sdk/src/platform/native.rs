//! On an operating system: tokio's timers, and this crate's own connections.

use std::time::{Duration, SystemTime};

use reqwest::{Response, Url};
pub(crate) use tokio::time::{Instant, sleep, sleep_until, timeout_at};

use super::{Connecting, tls};
use crate::config::{ConfigError, is_here};

/// Substitute for a duration that is too long for any clock.
pub(super) const FOREVER: Duration = Duration::from_secs(30 * 365 * 24 * 60 * 60);

/// Returns the current time.
#[expect(clippy::disallowed_methods, reason = "this is the clock that everything else is given the time by")]
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}

/// Returns 128 random bits of the operating system.
pub(crate) fn random_bits() -> Option<u128> {
    let mut bytes = [0; 16];
    getrandom::getrandom(&mut bytes).ok()?;
    Some(u128::from_ne_bytes(bytes))
}

/// Builds the connections to a server.
pub(crate) fn connections(base: &Url, connecting: &Connecting) -> Result<reqwest::ClientBuilder, ConfigError> {
    let connections = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(connecting.timeout().min(FOREVER))
        // Disables compression, so that size limits count the bytes on the wire, even if another crate turns on compression features of
        // the HTTP client.
        .no_gzip()
        .no_brotli()
        .no_deflate()
        .no_zstd()
        // This crate retries calls itself, as often as the options say. The HTTP client would retry requests that an HTTP/2 server
        // refused unread, and would keep a copy of each request for that.
        .retry(reqwest::retry::never().max_retries_per_request(0));
    let connections = match &connecting.proxy {
        Some(url) => connections.proxy(proxy(&url.0)?),
        // A remote proxy cannot reach this machine as `localhost`, but would see the key.
        None if connecting.is_direct || is_here(base) => connections.no_proxy(),
        None => connections,
    };
    tls::set_up(connections, base.scheme(), connecting)
}

/// Makes a proxy for all requests. Errors do not show its address, which may contain a password.
fn proxy(url: &str) -> Result<reqwest::Proxy, ConfigError> {
    let is_web = Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let refused = || ConfigError::InvalidProxy("write it as http://host:port or https://host:port".to_owned());
    if is_web { reqwest::Proxy::all(url).map_err(|_| refused()) } else { Err(refused()) }
}

/// Returns true if no connection was made.
pub(crate) fn fails_to_connect(error: &reqwest::Error) -> bool {
    error.is_connect()
}

/// Returns the body of a response, to be read by its `chunk`.
pub(crate) const fn body_of(response: Response) -> Response {
    response
}

/// Returns a future of the HTTP client unchanged: here it may continue on any thread.
pub(crate) const fn on_this_thread<F: Future>(future: F) -> F {
    future
}
