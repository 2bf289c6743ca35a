//! The SDK and the examples against the reference server.

mod bulk;
mod client;
mod command;
mod files;
mod programs;

use contentgen_sdk::Client;
use contentgen_server_stub::demo::DemoAccount;
use contentgen_server_stub::server::{self, Running, Settings};

/// A demonstration server on a free port.
async fn demonstration() -> Running {
    server::start(Settings::demo()).await.expect("a loopback port and a temporary folder are to be had")
}

/// Its base URL.
fn base_url(server: &Running) -> String {
    server.base_url().expect("the demonstration has an API").to_owned()
}

/// A client with a key of one of its accounts.
fn client(server: &Running, key: fn(&DemoAccount) -> &str) -> Client {
    let account = &server.accounts()[0];
    Client::builder().base_url(base_url(server)).api_key(key(account)).build().expect("the configuration is complete")
}

/// A client that may do everything.
fn full_client(server: &Running) -> Client {
    client(server, |account| &account.api_key)
}
