//! Certificates and authorities, generated for each test.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

/// A certificate with its key.
pub(crate) struct Identity {
    pub(crate) certificate: CertificateDer<'static>,
    pub(crate) key: PrivateKeyDer<'static>,
}

impl Identity {
    /// Returns the certificate and its key as PEM texts.
    pub(crate) fn pem(&self) -> (String, String) {
        (pem("CERTIFICATE", &self.certificate), pem("PRIVATE KEY", self.key.secret_der()))
    }
}

/// Formats bytes as a PEM text (RFC 7468).
fn pem(label: &str, bytes: &[u8]) -> String {
    let text = STANDARD.encode(bytes);
    let lines: Vec<&str> = text.as_bytes().chunks(64).map(|line| str::from_utf8(line).expect("ASCII")).collect();
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n"))
}

/// A certificate authority.
pub(crate) struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    /// Makes a new authority, trusted only by clients that are configured for it.
    pub(crate) fn new(name: &str) -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, name);
        let key = KeyPair::generate().expect("keys can be made");
        Self(CertifiedIssuer::self_signed(params, key).expect("the authority signs for itself"))
    }

    /// Issues a certificate for a server of this name.
    pub(crate) fn vouch_for(&self, name: &str) -> Identity {
        self.sign(&CertificateParams::new([name.to_owned()]).expect("a name of a host"))
    }

    /// Issues an expired certificate for a server of this name.
    pub(crate) fn vouched_for(&self, name: &str) -> Identity {
        let mut params = CertificateParams::new([name.to_owned()]).expect("a name of a host");
        params.not_before = rcgen::date_time_ymd(2001, 1, 1);
        params.not_after = rcgen::date_time_ymd(2002, 1, 1);
        self.sign(&params)
    }

    fn sign(&self, params: &CertificateParams) -> Identity {
        let key = KeyPair::generate().expect("keys can be made");
        let certificate = params.signed_by(&key, &self.0).expect("the authority signs");
        let key = PrivatePkcs8KeyDer::from(key.serialize_der());
        Identity { certificate: certificate.der().clone(), key: PrivateKeyDer::Pkcs8(key) }
    }

    /// Returns the authority's own certificate.
    pub(crate) fn certificate(&self) -> CertificateDer<'static> {
        self.0.der().clone()
    }

    /// Returns the certificate as PEM, the format of files with trusted authorities.
    pub(crate) fn pem(&self) -> String {
        pem("CERTIFICATE", self.0.der())
    }
}
