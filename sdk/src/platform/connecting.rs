//! Settings of connections, where this crate makes them.

use std::fmt;
use std::time::Duration;

use super::TlsBackend;
use crate::key::REDACTED;

/// Time limit for connecting, unless the builder sets another.
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Connection settings of the builder of a client.
#[derive(Clone, Debug, Default)]
pub(crate) struct Connecting {
    /// Time limit for connecting, as a part of an attempt, if the builder sets one.
    pub(crate) timeout: Option<Duration>,
    /// True if the proxies of the environment are ignored.
    pub(crate) is_direct: bool,
    /// Proxy for all requests.
    pub(crate) proxy: Option<ProxyUrl>,
    /// TLS backend.
    pub(crate) tls: Option<TlsBackend>,
    /// Further authorities to trust, as PEM texts.
    pub(crate) root_certificates: Vec<Vec<u8>>,
    /// Certificate and key that the client presents.
    pub(crate) identity: Option<Identity>,
}

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
impl Connecting {
    /// Returns the time limit for connecting.
    pub(super) fn timeout(&self) -> Duration {
        self.timeout.unwrap_or(CONNECT_TIMEOUT)
    }

    /// Returns true if there are certificates that only TLS can use.
    pub(super) fn has_certificates(&self) -> bool {
        !self.root_certificates.is_empty() || self.identity.is_some()
    }
}

impl Connecting {
    /// Returns the method of the builder that set something here, if one did.
    pub(crate) fn set_by(&self) -> Option<&'static str> {
        let Self { timeout, is_direct, proxy, tls, root_certificates, identity } = self;
        let set = [
            (timeout.is_some(), "connect_timeout"),
            (*is_direct, "no_proxy"),
            (proxy.is_some(), "proxy"),
            (tls.is_some(), "tls"),
            (!root_certificates.is_empty(), "root_certificates"),
            (identity.is_some(), "client_certificate"),
        ];
        set.into_iter().find_map(|(is_set, method)| is_set.then_some(method))
    }
}

/// Address of a proxy, which may contain a password.
#[cfg_attr(all(target_arch = "wasm32", target_os = "unknown"), expect(dead_code, reason = "`fetch` decides"))]
#[derive(Clone)]
pub(crate) struct ProxyUrl(pub(crate) String);

impl fmt::Debug for ProxyUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(REDACTED)
    }
}

/// A certificate with its private key, as PEM texts.
#[derive(Clone)]
pub(crate) struct Identity {
    certificates: Vec<u8>,
    key: Vec<u8>,
}

impl Identity {
    /// Makes the identity from a certificate with its chain, and its key.
    pub(crate) fn new(certificates: Vec<u8>, key: Vec<u8>) -> Self {
        Self { certificates, key }
    }
}

#[cfg_attr(
    any(not(any(feature = "rustls", feature = "native-tls")), all(target_arch = "wasm32", target_os = "unknown")),
    expect(dead_code, reason = "this build has no TLS")
)]
impl Identity {
    /// Returns the certificates, the client's own first.
    pub(super) fn certificates(&self) -> &[u8] {
        &self.certificates
    }

    /// Returns the private key of the first certificate.
    pub(super) fn key(&self) -> &[u8] {
        &self.key
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(REDACTED)
    }
}
