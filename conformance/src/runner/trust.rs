//! Whom a TLS connection to the target trusts: the system's authorities, and those of `[target] ca_file`.
//!
//! Requests are sent in `transport`, raw bytes in `raw`.

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_rustls::TlsConnector;

use super::set_up::SetUpError;

/// The certificates of a private authority.
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

/// How raw bytes are sent over TLS.
pub(super) fn connector(ca_file: Option<&Path>) -> Result<TlsConnector, SetUpError> {
    let mut roots = RootCertStore::empty();
    // A system whose authorities cannot be read trusts those of the file only.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if let Some(ca_file) = ca_file {
        roots.add_parsable_certificates(certificates(ca_file)?);
    }
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| SetUpError::Configuration(format!("cannot set up the TLS client: {error}")))?;
    Ok(TlsConnector::from(Arc::new(config.with_root_certificates(roots).with_no_client_auth())))
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;

    use super::certificates;

    #[test]
    fn a_file_without_certificates_is_refused_with_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ca.pem");
        assert!(certificates(&file).unwrap_err().to_string().contains("target.ca_file"));
        std::fs::write(&file, "no certificate").unwrap();
        assert!(certificates(&file).unwrap_err().to_string().contains("PEM certificates"));
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let base64 = base64::engine::general_purpose::STANDARD.encode(made.cert.der());
        std::fs::write(&file, format!("-----BEGIN CERTIFICATE-----\n{base64}\n-----END CERTIFICATE-----\n")).unwrap();
        assert_eq!(certificates(&file).unwrap().len(), 1);
    }
}
