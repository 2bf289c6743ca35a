//! TLS trust: the system's authorities and those of `[target] ca_file`, and the suite's client certificate.

use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore};
use tokio_rustls::TlsConnector;

use super::target::SetUpError;

/// Returns the certificates of a private authority.
pub(super) fn certificates(ca_file: &Path) -> Result<Vec<CertificateDer<'static>>, SetUpError> {
    let refused = |why: &str| {
        SetUpError::Configuration(format!(
            "target.ca_file: {}: {why}; set it to a file with PEM certificates",
            ca_file.display()
        ))
    };
    let all = CertificateDer::pem_file_iter(ca_file).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let all = all.map_err(|error| refused(&error.to_string()))?;
    if all.is_empty() { Err(refused("it contains no certificate")) } else { Ok(all) }
}

/// Returns the suite's own certificate with its private key, for the HTTP client.
pub(super) fn identity(file: &Path) -> Result<reqwest::Identity, SetUpError> {
    let (pem, ..) = own(file)?;
    reqwest::Identity::from_pem(&pem).map_err(|error| unusable(file, &error))
}

/// The text of the file, its certificates, and its private key.
type Own = (Vec<u8>, Vec<CertificateDer<'static>>, PrivateKeyDer<'static>);

fn own(file: &Path) -> Result<Own, SetUpError> {
    let pem = std::fs::read(file).map_err(|error| unusable(file, &error))?;
    let certificates = CertificateDer::pem_slice_iter(&pem).collect::<Result<Vec<_>, _>>();
    let certificates = certificates.map_err(|error| unusable(file, &error))?;
    if certificates.is_empty() {
        return Err(unusable(file, &"no certificate is in it"));
    }
    let key = PrivateKeyDer::from_pem_slice(&pem).map_err(|error| unusable(file, &error))?;
    Ok((pem, certificates, key))
}

fn unusable(file: &Path, why: &dyn Display) -> SetUpError {
    SetUpError::Configuration(format!(
        "target.client_certificate: {}: {why}; give it a file with a certificate and its private key in PEM",
        file.display()
    ))
}

/// Returns the TLS connector for raw bytes.
pub(super) fn connector(ca_file: Option<&Path>, client_certificate: Option<&Path>) -> Result<TlsConnector, SetUpError> {
    let mut roots = RootCertStore::empty();
    // If the system's authorities cannot be read, only those of the file are trusted.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if let Some(ca_file) = ca_file {
        roots.add_parsable_certificates(certificates(ca_file)?);
    }
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| SetUpError::Configuration(format!("cannot set up the TLS client: {error}")))?;
    let config = config.with_root_certificates(roots);
    let config = match client_certificate {
        Some(file) => {
            let (_, certificates, key) = own(file)?;
            config.with_client_auth_cert(certificates, key).map_err(|error| unusable(file, &error))?
        }
        None => config.with_no_client_auth(),
    };
    Ok(TlsConnector::from(Arc::new(config)))
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use rustls::ServerConfig;
    use rustls::server::WebPkiClientVerifier;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;
    use tokio::task::JoinSet;
    use tokio_rustls::TlsAcceptor;

    use super::*;
    use crate::check::{Channel as _, Request};
    use crate::lateness::Lateness;
    use crate::runner::transport::Transport;
    use crate::runner::{Account, Target};

    /// A self-signed certificate, with its private key.
    struct Made {
        certificate: CertificateDer<'static>,
        key: PrivateKeyDer<'static>,
    }

    impl Made {
        fn new() -> Self {
            let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
            let key = PrivateKeyDer::Pkcs8(made.signing_key.serialize_der().into());
            Self { certificate: made.cert.der().clone(), key }
        }

        fn certificate_pem(&self) -> String {
            pem("CERTIFICATE", &self.certificate)
        }

        fn key_pem(&self) -> String {
            pem("PRIVATE KEY", self.key.secret_der())
        }
    }

    fn pem(kind: &str, der: &[u8]) -> String {
        let base64 = base64::engine::general_purpose::STANDARD.encode(der);
        format!("-----BEGIN {kind}-----\n{base64}\n-----END {kind}-----\n")
    }

    /// Starts a server that only accepts clients with the certificate of `client`. Returns its port, and the task that it runs in.
    async fn demanding(server: &Made, client: &Made) -> (u16, JoinSet<()>) {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut roots = RootCertStore::empty();
        roots.add(client.certificate.clone()).unwrap();
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider));
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let config = config
            .with_client_cert_verifier(verifier.build().unwrap())
            .with_single_cert(vec![server.certificate.clone()], server.key.clone_key())
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let mut task = JoinSet::new();
        task.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let Ok(mut stream) = acceptor.accept(stream).await else { continue };
                let _ = stream.read(&mut [0; 4096]).await;
                let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";
                let _ = stream.write_all(answer).await;
                let _ = stream.shutdown().await;
            }
        });
        (port, task)
    }

    #[test]
    fn a_file_without_certificates_is_refused_with_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ca.pem");
        assert!(certificates(&file).unwrap_err().to_string().contains("target.ca_file"));
        std::fs::write(&file, "no certificate").unwrap();
        assert!(certificates(&file).unwrap_err().to_string().contains("PEM certificates"));
        std::fs::write(&file, Made::new().certificate_pem()).unwrap();
        assert_eq!(certificates(&file).unwrap().len(), 1);
    }

    #[test]
    fn a_client_certificate_without_its_key_is_refused_with_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("client.pem");
        let refused = || connector(None, Some(&file)).err().unwrap().to_string();
        assert!(refused().contains("target.client_certificate"), "it is missing");
        let (made, other) = (Made::new(), Made::new());
        for text in [made.key_pem(), made.certificate_pem(), made.certificate_pem() + &other.key_pem()] {
            std::fs::write(&file, text).unwrap();
            assert!(refused().contains("a certificate and its private key in PEM"), "{}", refused());
        }
        std::fs::write(&file, made.certificate_pem() + &made.key_pem()).unwrap();
        assert!(connector(None, Some(&file)).is_ok() && identity(&file).is_ok());
    }

    #[tokio::test]
    async fn a_server_that_asks_for_a_certificate_gets_it_with_requests_and_with_raw_bytes() {
        let (server, client) = (Made::new(), Made::new());
        let (port, _task) = demanding(&server, &client).await;
        let folder = tempfile::tempdir().unwrap();
        let (authority, own) = (folder.path().join("ca.pem"), folder.path().join("client.pem"));
        std::fs::write(&authority, server.certificate_pem()).unwrap();
        std::fs::write(&own, client.key_pem() + &client.certificate_pem()).unwrap();
        let account = Account { api_key: "cg_1".to_owned(), website_id: None };
        let mut target = Target::new(&format!("https://localhost:{port}"), account);
        target.ca_file = Some(authority);
        let list = || Request::new("list_websites", "GET", "/websites");
        let stranger = Transport::new(&target, Lateness::default()).unwrap();
        assert!(stranger.ask(list()).await.is_err());
        target.client_certificate = Some(own);
        let known = Transport::new(&target, Lateness::default()).unwrap();
        assert_eq!(known.ask(list()).await.unwrap().status, 200);
        let raw = known.raw(b"GET / HTTP/1.1\r\n\r\n".to_vec(), 1, None).await.unwrap();
        assert!(raw.starts_with(b"HTTP/1.1 200 OK"));
    }
}
