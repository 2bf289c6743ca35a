//! Tests of the client's public interface against servers with scripted responses.

mod configuration;
mod connecting;
mod decoding;
mod document;
mod errors;
mod frozen_time;
mod fuzzed;
mod hostile;
mod ids;
mod keys;
mod lists;
mod many_keys;
mod other_verifiers;
mod outages;
mod own_connections;
mod refused;
mod repeated_orders;
mod retries;
mod retry_budget;
mod scripted;
mod secrets;
mod sending;
mod tolerance;
mod until;
mod unused_address;
mod waiting;
mod webhooks;

/// Independent verifier, for comparison with ours.
mod other {
    pub(crate) use standardwebhooks::Webhook;
}

use std::time::Duration;

use contentgen_sdk::{Client, RequestOptions};

/// Key that must not appear in any output.
const KEY: &str = "live_4f9zSecretOfTheTests";

/// Options with very short delays.
fn quick() -> RequestOptions {
    RequestOptions::default().backoff(Duration::from_millis(1), Duration::from_millis(2))
}

/// Makes a client for a server at a base URL.
fn client(base_url: &str) -> Client {
    Client::builder().base_url(base_url).api_key(KEY).options(quick()).build().expect("the configuration is complete")
}
