//! `--ca-cert`: a server whose certificate comes from an authority that the system does not know.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::program::{contentgen, run, with_key};

/// Starts a server that answers every request with an empty list. Returns its address, and its authority as PEM.
fn server() -> (String, String) {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().expect("keys can be made");
    let authority = CertifiedIssuer::self_signed(params, key).expect("the authority signs for itself");
    let key = KeyPair::generate().expect("keys can be made");
    let params = CertificateParams::new(["localhost".to_owned()]).expect("a name of a host");
    let certificate = params.signed_by(&key, &authority).expect("the authority signs");
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring has all of them")
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .expect("the key belongs to the certificate");
    let config = Arc::new(config);
    let listener = TcpListener::bind("localhost:0").expect("a loopback port is free");
    let url = format!("https://localhost:{}", listener.local_addr().expect("it is bound").port());
    std::thread::spawn(move || {
        for connection in listener.incoming().map_while(Result::ok) {
            // A client that refuses the certificate disconnects.
            let _gone = answer(&config, connection);
        }
    });
    (url, pem(authority.der()))
}

/// Formats a certificate as a PEM text (RFC 7468).
fn pem(certificate: &[u8]) -> String {
    let text = STANDARD.encode(certificate);
    let lines: Vec<&str> = text.as_bytes().chunks(64).map(|line| str::from_utf8(line).expect("ASCII")).collect();
    format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", lines.join("\n"))
}

fn answer(config: &Arc<ServerConfig>, connection: TcpStream) -> std::io::Result<()> {
    let tls = ServerConnection::new(config.clone()).map_err(std::io::Error::other)?;
    let mut stream = StreamOwned::new(tls, connection);
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte)?;
        head.extend_from_slice(&byte);
    }
    let body = r#"{"items":[]}"#;
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )?;
    stream.conn.send_close_notify();
    stream.flush()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_own_authority_is_trusted_if_it_is_named() {
    let (url, authority) = server();
    let folder = tempfile::tempdir().unwrap();
    let (path, config) = (folder.path().join("ca.pem"), folder.path().join("config.toml"));
    std::fs::write(&path, authority).unwrap();
    let path = path.to_str().unwrap();
    let stranger = run(with_key(&url, "key_for_tests", &["websites"])).await.with(3);
    assert!(stranger.error.contains("certificate"), "{stranger:?}");
    run(with_key(&url, "key_for_tests", &["websites", "--ca-cert", path])).await.well();
    let mut by_variable = with_key(&url, "key_for_tests", &["websites"]);
    by_variable.env("CONTENTGEN_CA_CERT", path);
    run(by_variable).await.well();
    std::fs::write(
        &config,
        format!("[profiles.a]\nbase_url = {url:?}\napi_key_env = \"DEMO_KEY\"\nca_cert = {path:?}\n"),
    )
    .unwrap();
    let mut by_profile = contentgen(&["websites", "--profile", "a"]);
    by_profile.env("CONTENTGEN_CONFIG", &config).env("DEMO_KEY", "key_for_tests");
    run(by_profile).await.well();
    let missing = run(with_key(&url, "key_for_tests", &["websites", "--ca-cert", "no/such/file"])).await.with(2);
    assert!(missing.error.contains("no/such/file"), "{missing:?}");
}
