//! A proxy that is itself reached over https. The second process is the client.

use super::authority::Authority;
use super::process::{again_with, ask, client, server_url};
use super::server::Server;

/// The server speaks TLS as the proxy and answers for the requested host.
#[test]
fn a_server_by_http_is_asked_through_a_proxy_by_https() {
    if let Some(_proxy) = server_url() {
        assert_eq!(ask(&client("http://content.example")).unwrap().0, "job_1");
        return;
    }
    let authority = Authority::new("trusted");
    let proxy = Server::start(authority.vouch_for("localhost"));
    let test = "https_proxy::a_server_by_http_is_asked_through_a_proxy_by_https";
    again_with(test, &proxy, &authority.pem(), &[("HTTP_PROXY", &proxy.url)]);
    assert_eq!(proxy.seen(), (1, 1));
}

#[test]
fn a_proxy_whom_nobody_vouches_for_learns_nothing() {
    if let Some(_proxy) = server_url() {
        let error = ask(&client("http://content.example")).unwrap_err();
        assert!(format!("{error:#}").contains("certificate"), "{error:#}");
        return;
    }
    let proxy = Server::start(Authority::new("stranger").vouch_for("localhost"));
    let test = "https_proxy::a_proxy_whom_nobody_vouches_for_learns_nothing";
    again_with(test, &proxy, &Authority::new("trusted").pem(), &[("HTTP_PROXY", &proxy.url)]);
    assert_eq!(proxy.seen().1, 0);
}
