//! How connections are made, where that is this crate's to say.

use std::fmt;
use std::time::Duration;

use super::TlsBackend;
use crate::key::REDACTED;

/// How long connecting may take unless the builder is told otherwise.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// What the builder of a client was told.
#[derive(Clone, Debug)]
pub(crate) struct Connecting {
    /// How long it may take, as a part of an attempt.
    pub(crate) timeout: Duration,
    /// Whether the proxies of the environment are passed by.
    pub(crate) is_direct: bool,
    /// The proxy that all requests go through.
    pub(crate) proxy: Option<ProxyUrl>,
    /// What TLS is spoken by.
    pub(crate) tls: Option<TlsBackend>,
    /// Further authorities to trust, as PEM texts.
    pub(crate) root_certificates: Vec<Vec<u8>>,
    /// What the client shows of itself.
    pub(crate) identity: Option<Identity>,
}

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
impl Connecting {
    /// Whether there are certificates that only TLS can use.
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

/// The address of a proxy, which may have a password in it.
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
    /// A certificate, with those behind it, and its key.
    pub(crate) fn new(certificates: Vec<u8>, key: Vec<u8>) -> Self {
        Self { certificates, key }
    }
}

#[cfg_attr(
    any(not(any(feature = "rustls", feature = "native-tls")), all(target_arch = "wasm32", target_os = "unknown")),
    expect(dead_code, reason = "nobody here speaks TLS")
)]
impl Identity {
    /// The certificates, the client's own first.
    pub(super) fn certificates(&self) -> &[u8] {
        &self.certificates
    }

    /// The private key of the first one.
    pub(super) fn key(&self) -> &[u8] {
        &self.key
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(REDACTED)
    }
}
