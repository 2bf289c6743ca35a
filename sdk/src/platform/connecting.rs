//! Settings of connections, where this crate makes them.

use std::fmt;
use std::time::Duration;

use super::TlsBackend;
use crate::key::REDACTED;

/// Time limit for connecting, unless the builder sets another.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Connection settings of the builder of a client.
#[derive(Clone, Debug)]
pub(crate) struct Connecting {
    /// Time limit for connecting, as a part of an attempt.
    pub(crate) timeout: Duration,
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
    /// Returns true if there are certificates that only TLS can use.
    pub(super) fn has_certificates(&self) -> bool {
        !self.root_certificates.is_empty() || self.identity.is_some()
    }
}

impl Default for Connecting {
    fn default() -> Self {
        Self {
            timeout: CONNECT_TIMEOUT,
            is_direct: false,
            proxy: None,
            tls: None,
            root_certificates: Vec::new(),
            identity: None,
        }
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
