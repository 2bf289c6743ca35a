//! A machine without any certificates, such as a container made from scratch. The second process is that machine.

use contentgen_sdk::{Client, ConfigError};

use super::authority::Authority;
use super::process::{KEY, again, client, server_url};
use super::server::Server;

#[test]
fn without_certificates_https_is_refused_with_the_reason_and_http_is_not() {
    let Some(url) = server_url() else {
        let test = "no_certificates::without_certificates_https_is_refused_with_the_reason_and_http_is_not";
        let server = Server::start(Authority::new("unknown").vouch_for("localhost"));
        return again(test, &server, "");
    };
    match Client::builder().base_url(&url).api_key(KEY).build() {
        Err(ConfigError::Transport(reason)) => assert!(reason.contains("No CA certificates"), "{reason}"),
        other => panic!("{other:?}"),
    }
    client("http://localhost:1");
}
