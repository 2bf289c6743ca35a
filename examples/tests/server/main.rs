//! Tests the SDK and the examples against the reference server.

mod browser;
mod bulk;
mod client;
mod command;
mod faults;
mod features;
mod files;
mod hooks;
mod programs;
mod proxy;
mod reading;
mod receiver;
mod reference;
mod retries;
#[expect(clippy::print_stdout, reason = "samples print what they read")]
mod samples;
mod until;
mod waiting;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::OnceLock;

use contentgen_sdk::Client;
use contentgen_sdk::types::GenerateRequest;
use contentgen_server_stub::demo::DemoAccount;
use contentgen_server_stub::server::{self, Running, Settings};
use tokio::net::TcpSocket;

/// Starts a demonstration server on a free port.
async fn demonstration() -> Running {
    server::start(Settings::demo()).await.expect("a loopback port and a temporary folder are to be had")
}

/// Starts a demonstration server without a worker, so that no job ends by itself.
async fn idle() -> Running {
    let settings = Settings { is_worker: false, ..Settings::demo() };
    server::start(settings).await.expect("a loopback port and a temporary folder are to be had")
}

/// Returns the base URL of a server.
fn base_url(server: &Running) -> String {
    server.base_url().expect("the demonstration has an API").to_owned()
}

/// Returns an address for a program to listen on. The system gives it to no other program before that.
fn free_address() -> SocketAddr {
    let socket = TcpSocket::new_v4().expect("sockets are to be had");
    socket.set_reuseaddr(true).expect("it is fresh");
    socket.bind((Ipv4Addr::LOCALHOST, 0).into()).expect("there is a free port");
    let address = socket.local_addr().expect("it is bound");
    // Keeps the socket bound until the process ends, without listening: connections are refused. On Linux, another socket with
    // SO_REUSEADDR can listen on this address nevertheless. Other systems do not allow that.
    if cfg!(target_os = "linux") {
        std::mem::forget(socket);
    }
    address
}

/// Returns the HTTP client that all tests share: each new client would read the certificates of this machine. It keeps no idle
/// connections, because a connection belongs to the runtime of one test.
fn http() -> reqwest::Client {
    static SHARED: OnceLock<reqwest::Client> = OnceLock::new();
    let shared = SHARED.get_or_init(|| {
        // reqwest needs a TLS provider, although the tests use plain HTTP.
        drop(rustls::crypto::ring::default_provider().install_default());
        reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build().expect("the configuration is complete")
    });
    shared.clone()
}

/// Returns a client with a key of the server's first account.
fn client(server: &Running, key: fn(&DemoAccount) -> &str) -> Client {
    let account = &server.accounts()[0];
    Client::builder().base_url(base_url(server)).api_key(key(account)).build().expect("the configuration is complete")
}

/// Returns a client whose key has all API scopes.
fn full_client(server: &Running) -> Client {
    client(server, |account| &account.api_key)
}

/// Returns a request for the first account's website.
fn request(server: &Running, topic: &str) -> GenerateRequest {
    GenerateRequest::new().topic(topic).website_id(server.accounts()[0].website_id.as_str())
}

/// Sends a lead to the first account's website, as a form does.
async fn capture(server: &Running, lead: impl Into<reqwest::Body>) {
    capture_on(server, &server.accounts()[0].website_id, lead).await;
}

/// Sends a lead to a website, as a form does.
async fn capture_on(server: &Running, website_id: &str, lead: impl Into<reqwest::Body>) {
    let url = format!("{}/capture/{website_id}", base_url(server));
    let form = http().post(url).header("Content-Type", "application/json").body(lead);
    assert_eq!(form.send().await.expect("the server answers").status(), 202);
}
