//! Certificates of the application instead of the system's: authorities to trust, and a client certificate.

use contentgen_sdk::{Client, ConfigError, ErrorKind, RequestOptions};

use super::authority::Authority;
use super::process::{KEY, ask};
use super::server::Server;

fn builder(url: &str) -> contentgen_sdk::ClientBuilder {
    Client::builder().base_url(url).api_key(KEY).options(RequestOptions::default().max_retries(0))
}

#[test]
fn an_authority_that_the_application_names_is_trusted() {
    let authority = Authority::new("own");
    let server = Server::start(authority.vouch_for("localhost"));
    let error = ask(&builder(&server.url).build().unwrap()).unwrap_err();
    assert_eq!((error.kind(), server.seen().1), (ErrorKind::Connect, 0));
    // In addition to others.
    let other = Authority::new("other");
    let client =
        builder(&server.url).root_certificates(other.pem()).root_certificates(authority.pem()).build().unwrap();
    assert_eq!(ask(&client).unwrap().0, "job_1");
    let both = builder(&server.url).root_certificates(format!("{}{}", other.pem(), authority.pem())).build().unwrap();
    assert_eq!(ask(&both).unwrap().0, "job_1");
}

#[test]
fn a_server_that_asks_for_a_certificate_gets_it() {
    let authority = Authority::new("own");
    let server = Server::start_asking(authority.vouch_for("localhost"), &authority);
    let trusting = || builder(&server.url).root_certificates(authority.pem());
    assert!(ask(&trusting().build().unwrap()).is_err());
    assert_eq!(server.seen().1, 0);
    let (certificate, key) = authority.vouch_for("client").pem();
    let builder = trusting().client_certificate(certificate, key.clone());
    assert!(!format!("{builder:?}").contains(key.lines().nth(1).unwrap()), "{builder:?}");
    assert_eq!(ask(&builder.build().unwrap()).unwrap().0, "job_1");
}

#[test]
fn what_is_no_certificate_is_refused_with_the_reason() {
    let authority = Authority::new("own");
    let (certificate, _key) = authority.vouch_for("client").pem();
    let begin = || builder("https://localhost:1");
    for refused in [
        begin().root_certificates("no PEM"),
        begin().root_certificates("-----BEGIN CERTIFICATE-----\n%%\n-----END CERTIFICATE-----\n"),
        begin().client_certificate("no PEM", "no key"),
        begin().client_certificate(certificate.clone(), certificate.clone()),
    ] {
        let error = refused.build().unwrap_err();
        assert!(matches!(error, ConfigError::InvalidCertificate(_)), "{error}");
    }
}
