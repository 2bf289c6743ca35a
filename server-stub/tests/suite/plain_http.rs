//! HTTP clients for servers on this machine.

use reqwest::{Client, ClientBuilder, redirect};

/// Returns a client that follows no redirect. It trusts no certificate: reading those of the system takes longer than most requests.
pub(crate) fn client() -> Client {
    builder().redirect(redirect::Policy::none()).build().unwrap()
}

/// Returns a client that follows redirects.
pub(crate) fn following_client() -> Client {
    builder().build().unwrap()
}

fn builder() -> ClientBuilder {
    drop(rustls::crypto::ring::default_provider().install_default());
    Client::builder().no_proxy().tls_certs_only([])
}
