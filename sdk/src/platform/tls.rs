//! What https is spoken by: rustls, set up for this client alone, or the operating system's library. Nothing is installed for the
//! process, which belongs to the application.

use reqwest::ClientBuilder;

use crate::config::ConfigError;

/// Connections by rustls, with the provider of cryptography that the application has installed, or with ring, and as
/// HTTP/1.1. The features of this crate decide what is spoken, not those of the HTTP client, which others may turn on.
#[cfg(all(feature = "rustls", not(feature = "native-tls")))]
pub(super) fn set_up(connections: ClientBuilder, scheme: &str) -> Result<ClientBuilder, ConfigError> {
    let config = config(scheme).map_err(|error| ConfigError::Transport(error.to_string()))?;
    Ok(connections.tls_backend_preconfigured(config))
}

/// The machine's certificates are left alone where no TLS is spoken: a machine without any can still reach a server by
/// plain HTTP, and building the client takes microseconds. No redirect leads from there to https.
#[cfg(all(feature = "rustls", not(feature = "native-tls")))]
fn config(scheme: &str) -> Result<rustls::ClientConfig, rustls::Error> {
    use rustls::crypto::{CryptoProvider, ring};
    use rustls_platform_verifier::BuilderVerifierExt as _;

    let provider = CryptoProvider::get_default().cloned().unwrap_or_else(|| ring::default_provider().into());
    let config = rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let config = match scheme {
        "http" => config.with_root_certificates(rustls::RootCertStore::empty()),
        _ => config.with_platform_verifier()?,
    };
    let mut config = config.with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

/// Connections by the operating system's library, whose certificates are left alone in the same way.
#[cfg(feature = "native-tls")]
#[expect(clippy::unnecessary_wraps, reason = "the ones beside can fail")]
pub(super) fn set_up(connections: ClientBuilder, scheme: &str) -> Result<ClientBuilder, ConfigError> {
    Ok(if scheme == "http" { connections.tls_certs_only([]) } else { connections })
}

/// Without a TLS feature there is plain HTTP only.
#[cfg(not(any(feature = "rustls", feature = "native-tls")))]
pub(super) fn set_up(connections: ClientBuilder, scheme: &str) -> Result<ClientBuilder, ConfigError> {
    if scheme == "http" {
        return Ok(connections);
    }
    Err(ConfigError::Transport("https needs the feature `rustls` or `native-tls` of this crate".to_owned()))
}
