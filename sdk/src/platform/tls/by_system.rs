//! TLS with the operating system's library and certificates. Plain http needs it too, since the proxy may speak TLS.

use reqwest::{Certificate, ClientBuilder, Identity};

use crate::config::ConfigError;
use crate::error_words::innermost;
use crate::platform::Connecting;

/// Sets up connections with the operating system's library.
pub(super) fn set_up(connections: ClientBuilder, connecting: &Connecting) -> Result<ClientBuilder, ConfigError> {
    let refused = |error: reqwest::Error| ConfigError::InvalidCertificate(innermost(&error));
    let mut connections = connections.tls_backend_native();
    for pem in &connecting.root_certificates {
        let certificates = Certificate::from_pem_bundle(pem).map_err(refused)?;
        if certificates.is_empty() {
            return Err(ConfigError::InvalidCertificate("the text contains no PEM certificate".to_owned()));
        }
        connections = connections.tls_certs_merge(certificates);
    }
    if let Some(identity) = &connecting.identity {
        let identity = Identity::from_pkcs8_pem(identity.certificates(), identity.key()).map_err(refused)?;
        connections = connections.identity(identity);
    }
    Ok(connections)
}
