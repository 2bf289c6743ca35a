//! Encrypted connections: the parameters `sslmode` and `sslrootcert` of an address, as libpq defines them, but stricter:
//! `require`, and `sslrootcert` without `sslmode`, check the certificate like `verify-full`.

use std::error::Error as StdError;
use std::fs::File;
use std::io::Read as _;
use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

use crate::storage::OpenError;

/// Value of `sslrootcert` for the authorities that the system trusts.
const SYSTEM: &str = "system";

/// Maximum size of the file with trusted certificates, several times that of all public authorities.
const MAX_ROOTS_BYTES: u64 = 4 * 1024 * 1024;

/// Value of `sslmode`, by its effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SslMode {
    /// Not encrypted, because the operator wants that.
    Disabled,
    /// Not encrypted, although the operator allows it.
    Allowed,
    /// Encrypted. The server's certificate comes from a trusted authority, for any host.
    AnyHost,
    /// Encrypted. The server's certificate comes from a trusted authority, for this host.
    SameHost,
}

impl SslMode {
    /// Parses the values of `sslmode` and `sslrootcert`.
    pub(super) fn parse(mode: Option<&str>, roots: Option<&str>) -> Result<Self, OpenError> {
        let refused = |found: &str, expected| OpenError::SslMode { found: found.to_owned(), expected };
        let parsed = match mode {
            Some("disable") => Self::Disabled,
            // An operator who names authorities wants this check.
            None if roots.is_some() => Self::SameHost,
            None | Some("allow" | "prefer") => Self::Allowed,
            Some("verify-ca") => Self::AnyHost,
            Some("require" | "verify-full") => Self::SameHost,
            Some(other) => return Err(refused(other, "disable, allow, prefer, require, verify-ca or verify-full")),
        };
        match mode {
            // Everyone can get a certificate from these authorities, so it must be for the right host.
            Some(weak) if roots == Some(SYSTEM) && parsed != Self::SameHost => {
                Err(refused(weak, "verify-full, which sslrootcert=system needs"))
            }
            _ => Ok(parsed),
        }
    }

    /// Returns the TLS settings for this mode, or `None` without encryption. `roots` is the value of `sslrootcert`: a file with
    /// trusted certificates. Default: those that the system trusts.
    pub(super) fn tls(self, roots: Option<&str>) -> Result<Option<ClientConfig>, OpenError> {
        if matches!(self, Self::Disabled | Self::Allowed) {
            return Ok(None);
        }
        let path = roots.unwrap_or(SYSTEM);
        let unusable = |source| OpenError::RootCertificates { path: path.to_owned(), source };
        let roots = if path == SYSTEM { system_roots() } else { roots_in(path) }.map_err(unusable)?;
        let provider = Arc::new(ring::default_provider());
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider)).build();
        let verifier = verifier.map_err(|error| unusable(error.into()))?;
        let settings = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("ring has the default versions");
        let settings = match self {
            Self::AnyHost => settings.dangerous().with_custom_certificate_verifier(Arc::new(AnyHost(verifier))),
            _ => settings.with_webpki_verifier(verifier),
        };
        Ok(Some(settings.with_no_client_auth()))
    }
}

fn system_roots() -> Result<RootCertStore, Box<dyn StdError + Send + Sync>> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(found.certs);
    match found.errors.into_iter().next() {
        _ if !roots.is_empty() => Ok(roots),
        Some(error) => Err(error.into()),
        None => Err("this system has no trusted certificates".into()),
    }
}

fn roots_in(path: &str) -> Result<RootCertStore, Box<dyn StdError + Send + Sync>> {
    let mut text = Vec::new();
    File::open(path)?.take(MAX_ROOTS_BYTES + 1).read_to_end(&mut text)?;
    if text.len() as u64 > MAX_ROOTS_BYTES {
        return Err(format!("the file is larger than {MAX_ROOTS_BYTES} bytes").into());
    }
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&text) {
        roots.add(certificate?)?;
    }
    if roots.is_empty() { Err("the file contains no certificate".into()) } else { Ok(roots) }
}

/// Verifies certificates like the inner verifier, except that they may be for another host.
#[derive(Debug)]
struct AnyHost(Arc<WebPkiServerVerifier>);

impl ServerCertVerifier for AnyHost {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        match self.0.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
            // The host is the last check: the authority and the dates are right.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::path::Path;

    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use rcgen::ExtendedKeyUsagePurpose::{self, ClientAuth, ServerAuth};
    use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
    use rustls::pki_types::PrivatePkcs8KeyDer;
    use rustls::{ClientConnection, ServerConfig, ServerConnection};
    use tempfile::TempDir;

    use super::*;

    const EXPIRED: i32 = 2002;
    const VALID: i32 = 2999;

    type Authority = CertifiedIssuer<'static, KeyPair>;

    fn authority() -> Authority {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
    }

    fn pem(authority: &Authority) -> String {
        format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", STANDARD.encode(authority.der()))
    }

    /// Returns the settings of a server with a certificate for `host` that is valid until the year `end`.
    fn server(authority: &Authority, host: &str, end: i32, usage: ExtendedKeyUsagePurpose) -> Arc<ServerConfig> {
        let mut params = CertificateParams::new([host.to_owned()]).unwrap();
        params.extended_key_usages = vec![usage];
        (params.not_before, params.not_after) = (rcgen::date_time_ymd(2001, 1, 1), rcgen::date_time_ymd(end, 1, 1));
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, authority).unwrap().der().clone();
        let settings = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let settings = settings.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
        let key = PrivatePkcs8KeyDer::from(key.serialize_der()).into();
        Arc::new(settings.with_single_cert(vec![certificate], key).unwrap())
    }

    /// Passes the bytes of a handshake between client and server. Returns the client's error, if any.
    fn handshake(client: ClientConfig, server: Arc<ServerConfig>) -> Result<(), Error> {
        let mut client = ClientConnection::new(Arc::new(client), "db.example.com".try_into().unwrap()).unwrap();
        let mut server = ServerConnection::new(server).unwrap();
        while client.is_handshaking() || server.is_handshaking() {
            let mut sent = Vec::new();
            while client.wants_write() {
                client.write_tls(&mut sent).unwrap();
            }
            server.read_tls(&mut sent.as_slice()).unwrap();
            server.process_new_packets().unwrap();
            let mut answered = Vec::new();
            while server.wants_write() {
                server.write_tls(&mut answered).unwrap();
            }
            let mut answered = answered.as_slice();
            while client.read_tls(&mut answered).unwrap() > 0 {
                client.process_new_packets()?;
            }
        }
        client.writer().write_all(b"hello").unwrap();
        let mut sent = Vec::new();
        client.write_tls(&mut sent).unwrap();
        server.read_tls(&mut sent.as_slice()).unwrap();
        server.process_new_packets().unwrap();
        let mut received = [0; 5];
        server.reader().read_exact(&mut received).unwrap();
        assert_eq!(&received, b"hello");
        Ok(())
    }

    #[test]
    fn each_mode_checks_what_it_promises() {
        let (trusted, unknown) = (authority(), authority());
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("roots.pem");
        std::fs::write(&path, format!("A comment.\n{}{}", pem(&authority()), pem(&trusted))).unwrap();
        for (authority, host, end, usage, accepted) in [
            (&trusted, "db.example.com", VALID, ServerAuth, [true, true]),
            (&trusted, "other.example.com", VALID, ServerAuth, [true, false]),
            (&trusted, "db.example.com", EXPIRED, ServerAuth, [false, false]),
            (&trusted, "other.example.com", EXPIRED, ServerAuth, [false, false]),
            (&trusted, "db.example.com", VALID, ClientAuth, [false, false]),
            (&unknown, "db.example.com", VALID, ServerAuth, [false, false]),
            (&unknown, "other.example.com", VALID, ServerAuth, [false, false]),
        ] {
            let server = server(authority, host, end, usage.clone());
            for (mode, is_accepted) in [SslMode::AnyHost, SslMode::SameHost].into_iter().zip(accepted) {
                let client = mode.tls(path.to_str()).unwrap().unwrap();
                let outcome = handshake(client, Arc::clone(&server));
                assert_eq!(outcome.is_ok(), is_accepted, "{mode:?}, {host} until {end} for {usage:?}: {outcome:?}");
            }
        }
    }

    #[test]
    fn modes_have_the_names_of_libpq() {
        for (mode, roots, expected) in [
            (None, None, SslMode::Allowed),
            (None, Some("roots.pem"), SslMode::SameHost),
            (None, Some("system"), SslMode::SameHost),
            (Some("disable"), None, SslMode::Disabled),
            (Some("allow"), None, SslMode::Allowed),
            (Some("prefer"), None, SslMode::Allowed),
            (Some("require"), None, SslMode::SameHost),
            (Some("require"), Some("system"), SslMode::SameHost),
            (Some("verify-ca"), Some("roots.pem"), SslMode::AnyHost),
            (Some("verify-full"), Some("system"), SslMode::SameHost),
        ] {
            assert_eq!(SslMode::parse(mode, roots).unwrap(), expected, "{mode:?}, {roots:?}");
        }
        for (mode, roots, words) in [
            ("verify_full", None, "sslmode=verify_full in the database address cannot be used; write disable, allow,"),
            ("", None, "sslmode= in the database address"),
            ("verify-ca", Some("system"), "write verify-full"),
            ("prefer", Some("system"), "write verify-full"),
            ("disable", Some("system"), "write verify-full"),
        ] {
            let error = SslMode::parse(Some(mode), roots).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn a_file_without_certificates_is_named_with_the_parameter() {
        let folder = TempDir::new().unwrap();
        let written = |text: &str| {
            let path = folder.path().join("roots.pem");
            std::fs::write(&path, text).unwrap();
            path
        };
        let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        let check = |path: &Path| {
            let path = path.to_str().unwrap();
            let error = SslMode::SameHost.tls(Some(path)).unwrap_err().to_string();
            assert!(error.contains(&format!("sslrootcert={path} ")), "{error}");
            assert!(SslMode::Allowed.tls(Some(path)).unwrap().is_none(), "the file is not read without encryption");
        };
        check(&folder.path().join("missing.pem"));
        check(folder.path());
        for text in ["", "no certificate", broken] {
            check(&written(text));
        }
        #[cfg(target_os = "linux")]
        check(Path::new("/dev/zero"));
    }
}
