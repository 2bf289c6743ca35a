//! The SDK against every server that is wrong in one way: nothing panics, nothing hangs, and what cannot be right is no success.

mod calls;
mod hooks;

use std::time::Duration;

use contentgen_faults::FaultyServer;
use contentgen_faults::catalogue::Fault;
use contentgen_sdk::{Client, RequestOptions};
use contentgen_server_stub::server::Running;

use super::base_url;

/// Faults that are tried at the same time; most of the time they wait.
const AT_ONCE: usize = 12;

/// The server with one fault.
async fn spoiled(server: &Running, fault: Fault) -> FaultyServer {
    let spoiled = FaultyServer::start(&base_url(server)).await.expect("a loopback port is free");
    spoiled.enable(fault);
    spoiled
}

/// A client that gives up soon.
fn impatient(base_url: &str, key: &str) -> Client {
    let client = Client::builder().base_url(base_url).api_key(key).build().expect("the configuration is complete");
    let options = RequestOptions::default()
        .attempt_timeout(Duration::from_secs(2))
        .total_timeout(Duration::from_secs(4))
        .max_retries(1)
        .longest_retry_after(Duration::from_millis(100))
        .backoff(Duration::from_millis(5), Duration::from_millis(20));
    client.with_options(options)
}
