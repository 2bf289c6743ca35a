//! Requests without the key: to the receiver of forwarded hooks, and to the lead form, which readers send without one.

use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode, Url};

use super::open::APPLICATION;
use crate::failure::{Exit, Failure};

/// Time limit of a receiver. The sender of a hook waits 15 s, and must get its response before that.
const LONGEST_ANSWER: Duration = Duration::from_secs(10);

/// An HTTP client without a key.
#[derive(Debug, Clone)]
pub(crate) struct KeylessClient {
    client: Client,
}

impl KeylessClient {
    /// Makes a client that follows no redirects and uses no proxy for the local machine.
    pub(crate) fn new(url: &Url) -> Result<Self, Failure> {
        // This program uses TLS with ring. A provider that is already installed works too.
        let _installed = rustls::crypto::ring::default_provider().install_default();
        let builder = Client::builder().redirect(Policy::none()).timeout(LONGEST_ANSWER).user_agent(APPLICATION);
        let builder = if is_here(url) { builder.no_proxy() } else { builder };
        let failed = |error: reqwest::Error| {
            Failure::new(Exit::Failed, format!("cannot set up the HTTP client: {}", innermost(&error)))
        };
        Ok(Self { client: builder.build().map_err(failed)? })
    }

    /// Sends a body and returns the status of the response without reading its body, or the reason of a failure.
    pub(crate) async fn post(&self, url: &Url, headers: HeaderMap, body: Vec<u8>) -> Result<StatusCode, String> {
        let request = self.client.post(url.clone()).headers(headers).body(body);
        let answer = request.send().await.map_err(|error| innermost(&error.without_url()))?;
        Ok(answer.status())
    }

    /// Sends JSON in the same way.
    pub(crate) async fn post_json(&self, url: &Url, body: &serde_json::Value) -> Result<StatusCode, String> {
        let headers = [(CONTENT_TYPE, reqwest::header::HeaderValue::from_static("application/json"))];
        self.post(url, headers.into_iter().collect(), body.to_string().into_bytes()).await
    }
}

/// Returns true if an address is on this machine.
pub(crate) fn is_here(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
}

/// Returns the text of the innermost cause, which is the informative one.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(below) = cause.source() {
        cause = below;
    }
    cause.to_string()
}
