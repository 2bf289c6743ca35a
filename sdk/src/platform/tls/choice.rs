//! Which of the features speaks TLS.

use reqwest::ClientBuilder;

use crate::config::ConfigError;
use crate::platform::{Connecting, TlsBackend};

/// Connections with TLS as the builder was told, or as the features say. The features of this crate decide, not those of the HTTP client,
/// which others may turn on.
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
        // Without a TLS feature there is plain HTTP only.
        _ if scheme == "http" && !connecting.has_certificates() => Ok(connections),
        _ => Err(ConfigError::Transport("https needs the feature `rustls` or `native-tls` of this crate".to_owned())),
    }
}
