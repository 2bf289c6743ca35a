//! Publishes an article by a signed request to the customer's content management system. The system must detect duplicates by the
//! request's id.

use std::sync::Arc;

use bytes::Bytes;
use reqwest::Response;
use reqwest::header::{HeaderMap, LOCATION};
use serde::Deserialize;
use url::Url;

use super::PublishError;
use crate::domain::article::Article;
use crate::domain::clock::Clock;
use crate::domain::hook::HookSecret;
use crate::domain::personal::Personal;
use crate::domain::publish::refuses_for_good;
use crate::hooks::{NotSent, SendFailure, Sender, SignedRequest, retry_after};

/// Maximum length of an article's address in a response, in bytes.
const MAX_ADDRESS_BYTES: usize = 2048;
/// Maximum number of bytes read from a response body.
const MAX_RESPONSE_BYTES: usize = 64 * 1024;

/// Sends articles. The same address rules apply as for hooks.
#[derive(Debug, Clone)]
pub struct Push {
    sender: Sender,
    clock: Arc<dyn Clock>,
}

/// Returns the id of one version of an article. The id is the same for every retry. It changes when the article is edited, or
/// published again after it was taken down.
pub fn push_id(article: &Article) -> String {
    format!("{}_{}", article.id, article.updated_at.millis())
}

/// Fields that are read from the response body.
#[derive(Deserialize)]
struct Reported {
    url: Option<String>,
}

impl Push {
    /// Sends through `sender`, signed with the time of `clock`.
    pub const fn new(sender: Sender, clock: Arc<dyn Clock>) -> Self {
        Self { sender, clock }
    }

    /// Sends the article, and returns its address if the system's response contains one.
    pub(super) async fn publish(
        &self,
        article: &Article,
        url: &str,
        secret: &HookSecret,
    ) -> Result<Option<String>, PublishError> {
        let body = Personal::from(Bytes::from(serde_json::to_vec(article).expect("an article is JSON")));
        let id = push_id(article);
        let request = SignedRequest {
            url,
            id: &id,
            body: &body,
            secrets: std::slice::from_ref(secret),
            headers: &[("idempotency-key", &id)],
        };
        let sent = self.sender.post(&request, self.clock.wall(), &mut Vec::new()).await;
        let response = sent.map_err(|failure| refused_or_not(&failure))?;
        match response.status().as_u16() {
            200..=299 => Ok(reported_address(response, url).await),
            status => Err(not_taken(status, response.headers())),
        }
    }
}

/// A request that got no response may get one later, unless it may never be made.
fn refused_or_not(failure: &SendFailure) -> PublishError {
    match failure.not_sent() {
        Some(NotSent::RefusedAddress | NotSent::Unsigned) => PublishError::rejected(failure.to_string()),
        None => PublishError::unavailable(failure.to_string()),
    }
}

/// Returns the error for an unsuccessful status.
fn not_taken(status: u16, headers: &HeaderMap) -> PublishError {
    let reason = match status {
        401 | 403 => format!("it responded with status {status}; check its copy of the secret and its access rules"),
        300..=399 => format!("it responded with status {status}; change the address to the target of the redirect"),
        _ => format!("it responded with status {status}"),
    };
    if refuses_for_good(status) {
        return PublishError::rejected(reason);
    }
    PublishError::Unavailable { reason, retry_after: retry_after(headers) }
}

/// Returns the address in the body, else in `Location`, if readers can follow it.
async fn reported_address(response: Response, base: &str) -> Option<String> {
    let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let body = read_body(response).await;
    let in_body =
        body.and_then(|body| serde_json::from_slice::<Reported>(&body).ok()).and_then(|reported| reported.url);
    let base = Url::parse(base).ok()?;
    [in_body, location].into_iter().flatten().find_map(|address| public_address(&base, &address))
}

/// Reads the body; `None` if it is too long or incomplete. The body is optional, so the status alone decides the outcome.
async fn read_body(mut response: Response) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.ok()? {
        if body.len() + chunk.len() > MAX_RESPONSE_BYTES {
            return None;
        }
        body.extend_from_slice(&chunk);
    }
    Some(body)
}

/// Returns the absolute address for readers. Rejects the system's own address: readers cannot follow it, and its query may contain
/// a secret.
fn public_address(base: &Url, address: &str) -> Option<String> {
    let url = base.join(address.trim()).ok()?;
    if url.origin() == base.origin() && url.path() == base.path() {
        return None;
    }
    let is_followed = matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none();
    let text = String::from(url);
    (is_followed && text.len() <= MAX_ADDRESS_BYTES).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_that_readers_can_follow_are_taken() {
        let base = Url::parse("https://cms.example/api/articles?token=secret").unwrap();
        for (told, expected) in [
            ("https://blog.example/rye", Some("https://blog.example/rye")),
            ("/rye", Some("https://cms.example/rye")),
            ("javascript:alert(1)", None),
            ("ftp://blog.example/rye", None),
            ("https://user:secret@blog.example/rye", None),
            ("https://", None),
            ("", None),
            (" ", None),
            ("#rye", None),
            ("?token=secret", None),
        ] {
            assert_eq!(public_address(&base, told).as_deref(), expected, "{told}");
        }
        assert_eq!(public_address(&base, &format!("/{}", "a".repeat(MAX_ADDRESS_BYTES))), None);
    }
}
