//! Publishes an article by a signed request to the customer's content management system. What the system does with it is its own
//! business; it must know by the id what it has already.

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
use crate::hooks::{NotSent, SendFailure, Sender, SignedRequest, retry_after};

/// The longest address that a system may tell of an article, bytes.
const MAX_ADDRESS_BYTES: usize = 2048;
/// Most bytes read of a response.
const MAX_RESPONSE_BYTES: usize = 64 * 1024;

/// Sends articles, to the same destinations to which hooks may go.
#[derive(Debug, Clone)]
pub struct Push {
    sender: Sender,
    clock: Arc<dyn Clock>,
}

/// Names one version of an article: the same whenever it is sent again, another one after the article was taken down and is
/// published anew.
pub fn push_id(article: &Article) -> String {
    format!("{}_{}", article.id, article.updated_at.millis())
}

/// What of a response's body is looked at.
#[derive(Deserialize)]
struct Told {
    url: Option<String>,
}

impl Push {
    /// Sends through `sender`, signed with the time of `clock`.
    pub const fn new(sender: Sender, clock: Arc<dyn Clock>) -> Self {
        Self { sender, clock }
    }

    /// Sends the article, and returns the address that the system tells of it.
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
            200..=299 => Ok(told_address(response, url).await),
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

/// What follows from a status that is no success. Of those that blame the request some mean: not now (RFC 9110, RFC 6585, and 409 of a
/// system that still works on the request of this id).
fn not_taken(status: u16, headers: &HeaderMap) -> PublishError {
    let reason = format!("it responded with status {status}");
    match status {
        408 | 409 | 425 | 429 | 500.. => PublishError::Unavailable { reason, retry_after: retry_after(headers) },
        300..=399 => PublishError::rejected(format!("{reason}; change the address to the target of the redirect")),
        _ => PublishError::rejected(reason),
    }
}

/// The address in the body, else that of `Location`, if it is one that readers can follow.
async fn told_address(response: Response, base: &str) -> Option<String> {
    let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let body = read_body(response).await;
    let in_body = body.and_then(|body| serde_json::from_slice::<Told>(&body).ok()).and_then(|told| told.url);
    let base = Url::parse(base).ok()?;
    [in_body, location].into_iter().flatten().find_map(|address| public_address(&base, &address))
}

/// The body, if it is not too long and came whole. What it says is optional, so the status decides without it.
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

/// The address that was told. The system's own address is none that readers follow, and its query may be a secret.
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

    #[test]
    fn a_status_that_means_not_now_is_tried_again() {
        for status in [408, 409, 425, 429, 500, 502, 503, 504, 599] {
            assert!(matches!(not_taken(status, &HeaderMap::new()), PublishError::Unavailable { .. }), "{status}");
        }
        for status in [301, 307, 400, 401, 403, 404, 405, 410, 413, 422] {
            assert!(matches!(not_taken(status, &HeaderMap::new()), PublishError::Rejected { .. }), "{status}");
        }
    }
}
