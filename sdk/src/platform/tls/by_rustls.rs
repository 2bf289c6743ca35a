//! TLS with rustls over HTTP/1.1. Uses the cryptography provider that the application has installed, or ring.

use std::sync::Arc;

use reqwest::ClientBuilder;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, Error};

use super::lazy_verifier::{LazyVerifier, verifier};
use crate::config::ConfigError;
use crate::platform::Connecting;

/// Sets up connections with rustls.
pub(super) fn set_up(
    connections: ClientBuilder,
    scheme: &str,
    connecting: &Connecting,
) -> Result<ClientBuilder, ConfigError> {
    let failed = |error: Error| ConfigError::Transport(error.to_string());
    let provider = CryptoProvider::get_default().cloned().unwrap_or_else(|| ring::default_provider().into());
    let config = ClientConfig::builder_with_provider(Arc::clone(&provider));
    let config = config.with_safe_default_protocol_versions().map_err(failed)?;
    let mut roots = Vec::new();
    for pem in &connecting.root_certificates {
        roots.extend(certificates(pem)?);
    }
    // For plain http, read the machine's certificates only when a proxy speaks TLS. A machine without certificates can then still reach
    // a server, and building the client takes microseconds. No redirect leads from there to https.
    let verifier: Arc<dyn ServerCertVerifier> = match scheme {
        "http" => Arc::new(LazyVerifier::new(provider, roots)),
        _ => Arc::new(verifier(provider, roots).map_err(failed)?),
    };
    let config = config.dangerous().with_custom_certificate_verifier(verifier);
    let mut config = match &connecting.identity {
        Some(identity) => {
            let key = PrivateKeyDer::from_pem_slice(identity.key()).map_err(|error| {
                ConfigError::InvalidCertificate(format!("its private key is not readable PEM: {error}"))
            })?;
            config
                .with_client_auth_cert(certificates(identity.certificates())?, key)
                .map_err(|error| ConfigError::InvalidCertificate(error.to_string()))?
        }
        None => config.with_no_client_auth(),
    };
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(connections.tls_backend_preconfigured(config))
}

/// Parses the certificates of a PEM text, at least one.
fn certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, ConfigError> {
    let certificates = CertificateDer::pem_slice_iter(pem).collect::<Result<Vec<_>, _>>();
    match certificates {
        Ok(certificates) if certificates.is_empty() => {
            Err(ConfigError::InvalidCertificate("the text contains no PEM certificate".to_owned()))
        }
        Ok(certificates) => Ok(certificates),
        Err(error) => Err(ConfigError::InvalidCertificate(error.to_string())),
    }
}
