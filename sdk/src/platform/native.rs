//! With an operating system: tokio's timers, and connections of the crate's own.

use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use reqwest::{Response, Url};
pub(crate) use tokio::time::{Instant, sleep, sleep_until, timeout_at};

use super::{Connecting, tls};
use crate::config::ConfigError;

/// What stands for a time that no clock can tell.
pub(super) const FOREVER: Duration = Duration::from_secs(30 * 365 * 24 * 60 * 60);

/// The time of day.
#[expect(clippy::disallowed_methods, reason = "this is the clock that everything else is given the time by")]
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}

/// 128 random bits of the operating system.
pub(crate) fn random_bits() -> Option<u128> {
    let mut bytes = [0; 16];
    getrandom::getrandom(&mut bytes).ok()?;
    Some(u128::from_ne_bytes(bytes))
}

/// The connections to a server.
pub(crate) fn connections(base: &Url, connecting: &Connecting) -> Result<reqwest::ClientBuilder, ConfigError> {
    let connections = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(connecting.timeout.min(FOREVER))
        // Nothing is asked for packed, and nothing is unpacked: how much is read is then how much there is, also where another crate
        // turns the HTTP client's features for it on.
        .no_gzip()
        .no_brotli()
        .no_deflate()
        .no_zstd()
        // Calls are repeated by this crate, as often as the options say and whatever they failed of: the layer below, which would
        // repeat what a server on HTTP/2 refused unread, needs no copy of each request.
        .retry(reqwest::retry::never().max_retries_per_request(0));
    let connections = match &connecting.proxy {
        Some(url) => connections.proxy(proxy(&url.0)?),
        // A proxy elsewhere cannot reach this machine as `localhost`, but would be told the key.
        None if connecting.is_direct || is_here(base) => connections.no_proxy(),
        None => connections,
    };
    tls::set_up(connections, base.scheme(), connecting)
}

/// A proxy for all requests. No error shows its address, which may have a password in it.
fn proxy(url: &str) -> Result<reqwest::Proxy, ConfigError> {
    let is_web = Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let refused = || ConfigError::InvalidProxy("write it as http://host:port or https://host:port".to_owned());
    if is_web { reqwest::Proxy::all(url).map_err(|_| refused()) } else { Err(refused()) }
}

/// Whether a server runs on this machine, going by its address.
fn is_here(base: &Url) -> bool {
    let host = base.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

/// Whether there was no connection at all.
pub(crate) fn fails_to_connect(error: &reqwest::Error) -> bool {
    error.is_connect()
}

/// The body of a response, to be read by its `chunk`.
pub(crate) const fn body_of(response: Response) -> Response {
    response
}

/// A future of the HTTP client, which may go on on any thread here.
pub(crate) const fn on_this_thread<F: Future>(future: F) -> F {
    future
}
