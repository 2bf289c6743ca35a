//! Servers that the client accepts or refuses. Each test runs again in a second process, which is the client.

use contentgen_sdk::ErrorKind;

use super::authority::{Authority, Identity};
use super::process::{KEY, RETRIES, again, ask, client, server_url};
use super::server::Server;

#[test]
fn a_server_whom_the_system_trusts_is_called() {
    if let Some(url) = server_url() {
        assert_eq!(ask(&client(&url)).unwrap().0, "job_1");
        return;
    }
    let authority = Authority::new("trusted");
    let server = Server::start(authority.vouch_for("localhost"));
    again("calls::a_server_whom_the_system_trusts_is_called", &server, &authority.pem());
    assert_eq!(server.seen(), (1, 1));
}

#[test]
fn a_server_whom_nobody_vouches_for_does_not_learn_the_key() {
    let stranger = Authority::new("stranger").vouch_for("localhost");
    is_refused("calls::a_server_whom_nobody_vouches_for_does_not_learn_the_key", &Authority::new("trusted"), stranger);
}

#[test]
fn a_certificate_for_another_name_does_not_count() {
    let authority = Authority::new("trusted");
    let other = authority.vouch_for("example.com");
    is_refused("calls::a_certificate_for_another_name_does_not_count", &authority, other);
}

#[test]
fn a_certificate_whose_time_is_over_does_not_count() {
    let authority = Authority::new("trusted");
    let expired = authority.vouched_for("localhost");
    is_refused("calls::a_certificate_whose_time_is_over_does_not_count", &authority, expired);
}

/// Checks that a certificate is refused: no request reaches the server, and the error names the certificate as the reason.
fn is_refused(test: &str, trusted: &Authority, shown: Identity) {
    if let Some(url) = server_url() {
        let error = ask(&client(&url)).expect_err("the certificate does not count");
        let told = format!("{error} {error:?} {:?}", std::error::Error::source(&error));
        assert_eq!(error.kind(), ErrorKind::Connect, "{told}");
        assert!(format!("{error:#}").contains("certificate"), "{told}");
        assert!(!told.contains(KEY), "{told}");
        assert!((1..=RETRIES + 1).contains(&error.attempts()), "{told}");
        return;
    }
    let server = Server::start(shown);
    again(test, &server, &trusted.pem());
    let (connections, requests) = server.seen();
    assert!((1..=2).contains(&connections), "{connections} connections");
    assert_eq!(requests, 0);
}
