//! Requests and exchanges as data.
//!
//! `runner::transport` sends them; `demand` and `requirements` check them.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use tokio::time::Instant;

use crate::inbox::header_bytes;

/// Maximum length of a path that is kept for reports. Requirements only exceed it with ids that the target assigned.
const KEPT_PATH: usize = 128 * 1024;
/// Maximum number of bytes of a response's headers that are kept.
const KEPT_HEADERS: usize = 16 * 1024;

/// Maximum number of values in a body that is read as JSON. The longest page of the document contains about 10,000.
const MAX_VALUES: usize = 100_000;

/// The key that a request carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credential {
    /// The key of the account under test.
    Main,
    /// The key of the second account.
    Other,
    /// The key with a small quota.
    SmallQuota,
    /// The key that may only read articles.
    NarrowScope,
    /// A key that was revoked.
    Revoked,
    /// A key that has expired.
    Expired,
    /// The key that may use another website of the account, but not the one under test.
    Restricted,
    /// No `Authorization` header at all.
    None,
    /// These `Authorization` headers, unchanged, one per entry.
    Literal(Vec<String>),
}

/// One request, before the transport adds its own headers.
#[derive(Debug, Clone)]
pub struct Request {
    /// The operation of the document that it calls, if any.
    pub operation: Option<&'static str>,
    /// Upper-case method.
    pub method: String,
    /// Path and query below the base URL, sent unchanged.
    pub path: String,
    /// The key that it carries.
    pub credential: Credential,
    /// Further headers, in order; names may repeat.
    pub headers: Vec<(String, String)>,
    /// The body, if any.
    pub body: Option<Bytes>,
    /// Time that the response may take in addition to the usual limit, for long polls.
    pub patience: Duration,
    /// True if a 429 is a response to check. Otherwise the suite waits, and sends the request again.
    pub keep_429: bool,
    /// Time from sending it until the suite closes the connection, so that the response is lost.
    pub closed_after: Option<Duration>,
}

impl Request {
    /// Returns a request for `path` below the API's prefix `/api/v1`.
    pub fn new(operation: &'static str, method: &str, path: &str) -> Self {
        Self { operation: Some(operation), ..Self::outside(method, &format!("/api/v1{path}")) }
    }

    /// Returns a request for any path of the target, without an operation.
    pub fn outside(method: &str, path: &str) -> Self {
        Self {
            operation: None,
            method: method.to_owned(),
            path: path.to_owned(),
            credential: Credential::Main,
            headers: Vec::new(),
            body: None,
            patience: Duration::ZERO,
            keep_429: false,
            closed_after: None,
        }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// Sends `body` as JSON.
    #[must_use]
    pub fn json(self, body: &Value) -> Self {
        self.bytes("application/json", body.to_string().into_bytes())
    }

    /// Sends `body` with the given media type.
    #[must_use]
    pub fn bytes(mut self, media_type: &str, body: Vec<u8>) -> Self {
        self.body = Some(Bytes::from(body));
        self.header("content-type", media_type)
    }

    /// Uses another credential.
    #[must_use]
    pub fn by(mut self, credential: Credential) -> Self {
        self.credential = credential;
        self
    }

    /// Removes the operation, so that the response is not checked against the document.
    #[must_use]
    pub fn detached(mut self) -> Self {
        self.operation = None;
        self
    }
}

/// Identifies an exchange within this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExchangeId(u64);

/// Number of exchanges so far.
static COUNT: AtomicU64 = AtomicU64::new(0);

/// A request with its response.
#[derive(Debug)]
pub struct Exchange {
    id: ExchangeId,
    /// The request.
    pub request: Request,
    /// Status of the response; 0 if there was none.
    pub status: u16,
    /// Headers of the response.
    pub headers: HeaderMap,
    /// Body of the response, up to the transport's limit.
    pub body: Bytes,
    /// Time from sending to the last byte.
    pub elapsed: Duration,
    /// Time at which it began, or a moment before.
    pub begun: Instant,
    /// Time at which the last byte arrived.
    pub ended: Instant,
    json: OnceLock<Option<Value>>,
}

/// Copies the first headers up to the limit, so that the memory of the others is freed.
fn first_of(headers: &HeaderMap) -> HeaderMap {
    let mut kept = HeaderMap::new();
    let mut bytes = 0;
    for (name, value) in headers {
        bytes += name.as_str().len() + value.len();
        if bytes > KEPT_HEADERS {
            break;
        }
        if let (Ok(name), Ok(value)) =
            (HeaderName::from_bytes(name.as_str().as_bytes()), HeaderValue::from_bytes(value.as_bytes()))
        {
            kept.append(name, value);
        }
    }
    kept
}

impl Exchange {
    /// Returns an exchange with a new id.
    pub fn new(request: Request, status: u16, headers: HeaderMap, body: Bytes, elapsed: Duration) -> Self {
        let (id, ended) = (ExchangeId(COUNT.fetch_add(1, Ordering::Relaxed)), Instant::now());
        let begun = ended.checked_sub(elapsed).unwrap_or(ended);
        Self { id, request, status, headers, body, elapsed, begun, ended, json: OnceLock::new() }
    }

    /// Returns an exchange without an HTTP response: it has the status 0, as in HAR files.
    pub fn unanswered(request: Request, elapsed: Duration) -> Self {
        Self::new(request, 0, HeaderMap::new(), Bytes::new(), elapsed)
    }

    /// Returns its id.
    pub fn id(&self) -> ExchangeId {
        self.id
    }

    /// Returns the body as JSON, if it is JSON with at most 100,000 values.
    pub fn json(&self) -> Option<&Value> {
        // Parsed values take many times the memory of their text, which a hostile body could exploit.
        let read = || (values_in(&self.body) <= MAX_VALUES).then(|| serde_json::from_slice(&self.body).ok()).flatten();
        self.json.get_or_init(read).as_ref()
    }

    /// Returns the same exchange with at most `length` bytes of the response body. Also cuts a path that contains an id
    /// of megabytes from the target.
    #[must_use]
    pub fn cut(self: &std::sync::Arc<Self>, length: usize) -> std::sync::Arc<Self> {
        let has_long_headers = self.header_bytes() > KEPT_HEADERS;
        if self.body.len() <= length && self.request.path.len() <= KEPT_PATH && !has_long_headers {
            return std::sync::Arc::clone(self);
        }
        // Copies the bytes so that the rest is freed.
        let body = Bytes::copy_from_slice(&self.body[..length.min(self.body.len())]);
        let mut request = self.request.clone();
        if request.path.len() > KEPT_PATH {
            let end = request.path.floor_char_boundary(KEPT_PATH);
            request.path = format!("{}… ({} bytes)", &request.path[..end], request.path.len());
        }
        std::sync::Arc::new(Self {
            id: self.id,
            request,
            status: self.status,
            headers: if has_long_headers { first_of(&self.headers) } else { self.headers.clone() },
            body,
            elapsed: self.elapsed,
            begun: self.begun,
            ended: self.ended,
            json: OnceLock::new(),
        })
    }

    /// Returns the number of bytes that it takes to keep it.
    pub fn kept_bytes(&self) -> usize {
        self.body.len() + self.header_bytes()
    }

    fn header_bytes(&self) -> usize {
        header_bytes(&self.headers)
    }

    /// Returns a header's first value as text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Returns true if the status is 2xx.
    pub fn succeeded(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Returns true if the target asks the client to come back later: 429, or 503 with `Retry-After`.
    pub fn has_no_room(&self) -> bool {
        self.status == 429 || (self.status == 503 && self.headers.contains_key("retry-after"))
    }

    /// Returns true if the suite waits and sends the request again instead of checking this response.
    pub fn is_waited_out(&self) -> bool {
        // A 503 may name a quota as its reason.
        let is_for_quota = self.status == 429 || self.code() == Some("rate_limited");
        self.has_no_room() && !(self.request.keep_429 && is_for_quota)
    }

    /// Returns how long the target asks the client to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        self.header("retry-after").and_then(|value| value.trim().parse().ok()).map(Duration::from_secs)
    }

    /// Returns the field `code` of a problem.
    pub fn code(&self) -> Option<&str> {
        self.json()?.get("code")?.as_str()
    }

    /// Returns method, path and status in one line.
    pub fn line(&self) -> String {
        format!("{} {} -> {}", self.request.method, self.request.path, self.status)
    }
}

/// Returns roughly how many values a JSON text contains: counts separators and opening brackets outside of strings.
fn values_in(text: &[u8]) -> usize {
    let (mut count, mut in_string, mut escaped) = (0, false, false);
    for byte in text {
        match (in_string, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => in_string = !in_string,
            (false, b',' | b'[' | b'{') => count += 1,
            _ => {}
        }
    }
    count
}

/// The case that made an exchange, so that an observer's finding can be repeated.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// The requirement of the case.
    pub requirement: &'static str,
    /// Index of the case, from 0.
    pub case_index: u32,
    /// The case itself; `null` for scenarios without input.
    pub case: Value,
}

#[cfg(test)]
mod tests {
    use super::values_in;

    #[test]
    fn separators_inside_of_strings_are_no_values() {
        assert_eq!(values_in(br#"{"a,\"b": [1, 2], "c": "[,,,{"}"#), 4);
        assert_eq!(values_in(b"[1,1,1,1]"), 4);
    }
}
