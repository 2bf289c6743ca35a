//! The choice between the features that speak TLS.

/// What https is spoken by; the features of the crate say what there is to choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TlsBackend {
    /// rustls, with the provider of cryptography that the application has installed, or with ring (feature `rustls`).
    #[cfg(feature = "rustls")]
    Rustls,
    /// The operating system's own library (feature `native-tls`).
    #[cfg(feature = "native-tls")]
    Native,
}

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
impl TlsBackend {
    /// What is used unless the builder is told otherwise.
    #[cfg(feature = "native-tls")]
    pub(super) const DEFAULT: Option<Self> = Some(Self::Native);
    /// What is used unless the builder is told otherwise.
    #[cfg(all(feature = "rustls", not(feature = "native-tls")))]
    pub(super) const DEFAULT: Option<Self> = Some(Self::Rustls);
    /// Nothing speaks TLS.
    #[cfg(not(any(feature = "rustls", feature = "native-tls")))]
    pub(super) const DEFAULT: Option<Self> = None;
}
