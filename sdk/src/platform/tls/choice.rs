//! Choice of the TLS backend.

use reqwest::ClientBuilder;

use crate::config::ConfigError;
use crate::platform::{Connecting, TlsBackend};

/// Sets up connections with the TLS backend of the builder, or of the features. Only the features of this crate count: other crates may
/// turn on those of the HTTP client.
pub(in crate::platform) fn set_up(
    connections: ClientBuilder,
    scheme: &str,
    connecting: &Connecting,
) -> Result<ClientBuilder, ConfigError> {
    match connecting.tls.or(TlsBackend::DEFAULT) {
        #[cfg(feature = "rustls")]
        Some(TlsBackend::Rustls) => super::by_rustls::set_up(connections, scheme, connecting),
        #[cfg(feature = "native-tls")]
        Some(TlsBackend::Native) => super::by_system::set_up(connections, connecting),
        // Without a TLS feature, only plain HTTP works.
        _ if scheme == "http" && !connecting.has_certificates() => Ok(connections),
        _ => Err(ConfigError::Transport("https needs the feature `rustls` or `native-tls` of this crate".to_owned())),
    }
}
