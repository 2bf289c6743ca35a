//! The verifier of the operating system, and one that loads its certificates when the first certificate has to be verified. A client for
//! plain http needs them only if its proxy speaks TLS, and loading them takes longer than the rest of building a client.

use std::sync::{Arc, OnceLock};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{DigitallySignedStruct, Error, SignatureScheme};
use rustls_platform_verifier::Verifier;

/// A verifier that loads the system's verifier on first use.
#[derive(Debug)]
pub(super) struct LazyVerifier {
    provider: Arc<CryptoProvider>,
    roots: Vec<CertificateDer<'static>>,
    system: OnceLock<Result<Verifier, Error>>,
}

impl LazyVerifier {
    /// Makes a verifier that has loaded nothing yet and will also trust these authorities.
    pub(super) fn new(provider: Arc<CryptoProvider>, roots: Vec<CertificateDer<'static>>) -> Self {
        Self { provider, roots, system: OnceLock::new() }
    }
}

impl ServerCertVerifier for LazyVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let system = self.system.get_or_init(|| verifier(Arc::clone(&self.provider), self.roots.clone()));
        let system = system.as_ref().map_err(Clone::clone)?;
        system.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

/// Returns the operating system's verifier, which also trusts these authorities.
#[cfg(not(target_os = "android"))]
pub(super) fn verifier(provider: Arc<CryptoProvider>, roots: Vec<CertificateDer<'static>>) -> Result<Verifier, Error> {
    Verifier::new_with_extra_roots(roots, provider)
}

/// Returns the operating system's verifier, which accepts no other authorities on this system.
#[cfg(target_os = "android")]
pub(super) fn verifier(provider: Arc<CryptoProvider>, roots: Vec<CertificateDer<'static>>) -> Result<Verifier, Error> {
    if roots.is_empty() {
        Verifier::new(provider)
    } else {
        Err(Error::General("Android trusts only its own certificate authorities".to_owned()))
    }
}
