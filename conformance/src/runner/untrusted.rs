//! The receiver's second port: TLS with a fresh self-signed certificate.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::set_up::SetUpError;

/// A listening TLS port.
pub(super) struct Untrusted {
    pub(super) listener: TcpListener,
    pub(super) acceptor: TlsAcceptor,
    port: u16,
}

impl Untrusted {
    /// Listens on a free port beside `neighbour`.
    pub(super) async fn bind(neighbour: io::Result<SocketAddr>) -> Result<Self, SetUpError> {
        let failed = |error: &dyn std::fmt::Display| {
            SetUpError::Configuration(format!("the webhook receiver cannot listen with TLS: {error}"))
        };
        let mut address = neighbour.map_err(|error| failed(&error))?;
        address.set_port(0);
        let listener = TcpListener::bind(address).await.map_err(|error| failed(&error))?;
        let port = listener.local_addr().map_err(|error| failed(&error))?.port();
        let acceptor = acceptor().map_err(|error| failed(&error))?;
        Ok(Self { listener, acceptor, port })
    }

    /// Returns the URL at which the target reaches it, derived from the `public_url` of the receiver.
    pub(super) fn url(&self, public_url: &str, run: &str) -> String {
        let base = public_url.replacen("http://", "https://", 1).replace("{port}", &self.port.to_string());
        format!("{}/hooks/{run}", base.trim_end_matches('/'))
    }
}

fn acceptor() -> Result<TlsAcceptor, Box<dyn std::error::Error + Send + Sync>> {
    let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
    let rcgen::CertifiedKey { cert, signing_key } = rcgen::generate_simple_self_signed(names)?;
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}
