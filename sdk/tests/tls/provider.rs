//! Cryptography provider of rustls: the application chooses it. The second process is the application.

use rustls::crypto::ring::cipher_suite::TLS13_CHACHA20_POLY1305_SHA256;
use rustls::crypto::{CryptoProvider, ring};

use super::authority::Authority;
use super::process::{again, ask, client, server_url};
use super::server::Server;

/// Makes a provider that differs from this crate's by its cipher suite.
fn another() -> CryptoProvider {
    CryptoProvider { cipher_suites: vec![TLS13_CHACHA20_POLY1305_SHA256], ..ring::default_provider() }
}

/// Starts a server that the second process trusts.
fn with_server(test: &str) {
    let authority = Authority::new("trusted");
    let server = Server::start(authority.vouch_for("localhost"));
    again(test, &server, &authority.pem());
}

#[test]
fn an_application_can_install_a_provider_after_it_has_made_clients() {
    let Some(url) = server_url() else {
        return with_server("provider::an_application_can_install_a_provider_after_it_has_made_clients");
    };
    client("http://localhost:1");
    assert!(CryptoProvider::get_default().is_none(), "for http");
    let (_job, suite) = ask(&client(&url)).unwrap();
    assert_ne!(suite, "TLS13_CHACHA20_POLY1305_SHA256", "what another provider would have taken");
    assert!(CryptoProvider::get_default().is_none(), "for https");
    another().install_default().expect("no provider is installed yet");
}

#[test]
fn the_provider_that_an_application_has_installed_is_used() {
    let Some(url) = server_url() else {
        return with_server("provider::the_provider_that_an_application_has_installed_is_used");
    };
    another().install_default().expect("no provider is installed yet");
    let (_job, suite) = ask(&client(&url)).unwrap();
    assert_eq!(suite, "TLS13_CHACHA20_POLY1305_SHA256");
}
