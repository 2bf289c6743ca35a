//! The client through its public door, against servers that answer what each test tells them to.

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

/// The verifier that ours is held against.
mod other {
    pub(crate) use standardwebhooks::Webhook;
}

use std::time::Duration;

use contentgen_sdk::{Client, RequestOptions};

/// The key that tests look for in places where it must not be.
const KEY: &str = "live_4f9zSecretOfTheTests";

/// Options with pauses that a test need not wait for.
fn quick() -> RequestOptions {
    RequestOptions::default().backoff(Duration::from_millis(1), Duration::from_millis(2))
}

/// A client for a server at a base URL.
fn client(base_url: &str) -> Client {
    Client::builder().base_url(base_url).api_key(KEY).options(quick()).build().expect("the configuration is complete")
}
