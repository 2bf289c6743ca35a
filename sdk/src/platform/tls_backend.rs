//! The choice between the features that speak TLS.

/// TLS library for https. The features of the crate decide which ones are available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TlsBackend {
    /// rustls, with the cryptography provider that the application has installed, or with ring (feature `rustls`).
    #[cfg(feature = "rustls")]
    Rustls,
    /// The operating system's own library (feature `native-tls`).
    #[cfg(feature = "native-tls")]
    Native,
}

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
impl TlsBackend {
    /// Backend that is used unless the builder sets another.
    #[cfg(feature = "native-tls")]
    pub(super) const DEFAULT: Option<Self> = Some(Self::Native);
    /// Backend that is used unless the builder sets another.
    #[cfg(all(feature = "rustls", not(feature = "native-tls")))]
    pub(super) const DEFAULT: Option<Self> = Some(Self::Rustls);
    /// No TLS backend.
    #[cfg(not(any(feature = "rustls", feature = "native-tls")))]
    pub(super) const DEFAULT: Option<Self> = None;
}
