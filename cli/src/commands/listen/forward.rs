//! Sending hooks on to a receiver that is being written: the same bytes with the same signature, so that it can verify them.

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderName};
use contentgen_sdk::webhook::VerifiedHook;
use reqwest::Url;
use serde_json::json;

use crate::commands::interrupt::interrupted;
use crate::connection::KeylessClient;
use crate::failure::Failure;
use crate::output::Screen;

/// What belongs to a hook; the other headers belong to the connection that it came by.
const HEADERS: [&str; 3] = ["webhook-id", "webhook-timestamp", "webhook-signature"];

/// A receiver that hooks are sent on to.
pub(super) struct Forwarder {
    url: Url,
    client: KeylessClient,
    screen: Screen,
}

impl Forwarder {
    /// A receiver at an address.
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

    /// Sends a hook on; whether the receiver took it. What it answers is noted either way.
    pub(super) async fn takes(&self, hook: &VerifiedHook, headers: &HeaderMap) -> bool {
        let names = HEADERS.map(HeaderName::from_static).into_iter().chain([CONTENT_TYPE]);
        let kept = names.filter_map(|name| headers.get(&name).cloned().map(|value| (name, value))).collect();
        let answer = tokio::select! {
            answer = self.client.post(&self.url, kept, hook.body().to_vec()) => answer,
            // The loop around ends by the same signal; the hook comes again.
            _signal = interrupted() => Err("interrupted".to_owned()),
        };
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
