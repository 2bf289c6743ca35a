//! Forwards hooks to a receiver under development: the same bytes with the same signature, so that it can verify them.

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderName};
use contentgen_sdk::webhook::Verified;
use reqwest::Url;
use serde_json::json;

use crate::connection::KeylessClient;
use crate::failure::Failure;
use crate::output::Screen;

/// Headers of a hook. The other headers belong to its connection.
const HEADERS: [&str; 3] = ["webhook-id", "webhook-timestamp", "webhook-signature"];

/// Sender of hooks to a receiver.
#[derive(Clone)]
pub(super) struct Forwarder {
    url: Url,
    client: KeylessClient,
    screen: Screen,
}

impl Forwarder {
    /// Makes a forwarder to an address.
    pub(super) fn new(url: &str, screen: Screen) -> Result<Self, Failure> {
        let wrong = || {
            let failure = Failure::usage("the value of --forward-to is not the URL of a receiver");
            failure.advise("write it as http://127.0.0.1:3000/hooks, without user and password")
        };
        let url = Url::parse(url).map_err(|_| wrong())?;
        if !matches!(url.scheme(), "http" | "https") || !url.username().is_empty() || url.password().is_some() {
            return Err(wrong());
        }
        Ok(Self { client: KeylessClient::new(&url)?, url, screen })
    }

    /// Forwards a hook and returns true if the receiver accepted it. Prints a note about the response in both cases.
    pub(super) async fn takes(self, hook: &Verified, headers: &HeaderMap) -> bool {
        let names = HEADERS.map(HeaderName::from_static).into_iter().chain([CONTENT_TYPE]);
        let kept = names.filter_map(|name| headers.get(&name).cloned().map(|value| (name, value))).collect();
        let answer = self.client.post(&self.url, kept, hook.body().to_vec()).await;
        let id = hook.id();
        let (words, status, reason) = match answer {
            Ok(status) if status.is_success() => (format!("{id} forwarded: {}", status.as_u16()), Some(status), None),
            Ok(status) => (
                format!(
                    "{id} forwarded, but the receiver responded {}: the server will send it again",
                    status.as_u16()
                ),
                Some(status),
                None,
            ),
            Err(reason) => (format!("{id} not forwarded: {reason}; the server will send it again"), None, Some(reason)),
        };
        let told = json!({ "id": id, "status": status.map(|status| status.as_u16()), "reason": reason });
        self.screen.note(&words, "forwarded", &told);
        status.is_some_and(|status| status.is_success())
    }
}
