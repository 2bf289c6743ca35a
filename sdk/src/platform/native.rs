//! With an operating system: tokio's timers, and connections of the crate's own.

use std::hash::{BuildHasher as _, Hash as _, Hasher as _, RandomState};
use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use reqwest::{Response, Url};
pub(crate) use tokio::time::{Instant, sleep, sleep_until, timeout_at};

use super::{Connecting, tls};
use crate::config::ConfigError;

/// What stands for a time that no clock can tell.
pub(super) const FOREVER: Duration = Duration::from_hours(24 * 365 * 30);

/// The time of day.
#[expect(clippy::disallowed_methods, reason = "this is the clock that everything else is given the time by")]
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}

/// 128 random bits. The standard library seeds its hashers from the operating system, once for a thread, and makes each one
/// differ from the ones before: enough without asking the system at every call, and without another crate. A process that was
/// forked has its parent's seed, but not its time.
pub(crate) fn random_bits() -> [u64; 2] {
    let mut hasher = RandomState::new().build_hasher();
    now().hash(&mut hasher);
    [0_u8, 1].map(|half| {
        hasher.write_u8(half);
        hasher.finish()
    })
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
    // A proxy elsewhere cannot reach this machine as `localhost`, but would be told the key.
    let connections = if connecting.is_direct || is_here(base) { connections.no_proxy() } else { connections };
    tls::set_up(connections, base.scheme())
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

/// The body of an answer, to be read by its `chunk`.
pub(crate) const fn body_of(answer: Response) -> Response {
    answer
}

/// A future of the HTTP client, which may go on on any thread here.
pub(crate) const fn on_this_thread<F: Future>(future: F) -> F {
    future
}
