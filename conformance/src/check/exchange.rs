//! Requests and exchanges as data.
//!
//! How they travel lives in `runner::transport`; what is demanded of them in `demand` and `requirements`.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use tokio::time::Instant;

use crate::inbox::header_bytes;

/// How much of a path is kept to show what was sent: no requirement sends a longer one by itself.
const KEPT_PATH: usize = 128 * 1024;
/// Most bytes of an answer's headers that are kept.
const KEPT_HEADERS: usize = 16 * 1024;

/// Most values in a body that is read as JSON; the longest page of the document holds about 10,000.
const MAX_VALUES: usize = 100_000;

/// Whose key a request carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credential {
    /// The key of the account under test.
    Main,
    /// The key of the second account.
    Other,
    /// The key with a small quota.
    SmallQuota,
    /// The key that may read articles and nothing else.
    NarrowScope,
    /// A key that was revoked.
    Revoked,
    /// A key that has expired.
    Expired,
    /// The key that may use another website of the account, and not the one under test.
    Restricted,
    /// No `Authorization` header at all.
    None,
    /// This `Authorization` header, word for word, once per entry.
    Literal(Vec<String>),
}

/// One request, before the transport adds what it must.
#[derive(Debug, Clone)]
pub struct Request {
    /// The operation it belongs to, if it is one of the document's.
    pub operation: Option<&'static str>,
    /// Upper-case method.
    pub method: String,
    /// Path and query below the base URL, sent as written.
    pub path: String,
    /// Whose key it carries.
    pub credential: Credential,
    /// Further headers, in order; names may repeat.
    pub headers: Vec<(String, String)>,
    /// The body, if there is one.
    pub body: Option<Bytes>,
    /// Time the answer may take on top of the usual limit, for long polls.
    pub patience: Duration,
    /// Whether a 429 or 503 is an answer to look at, and not one to wait out.
    pub keep_429: bool,
}

impl Request {
    /// A request for `path` below the API's prefix `/api/v1`.
    pub fn new(operation: &'static str, method: &str, path: &str) -> Self {
        Self { operation: Some(operation), ..Self::outside(method, &format!("/api/v1{path}")) }
    }

    /// A request for any path of the target, belonging to no operation.
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

    /// Sends `body` with that media type.
    #[must_use]
    pub fn bytes(mut self, media_type: &str, body: Vec<u8>) -> Self {
        self.body = Some(Bytes::from(body));
        self.header("content-type", media_type)
    }

    /// Carries another credential.
    #[must_use]
    pub fn by(mut self, credential: Credential) -> Self {
        self.credential = credential;
        self
    }

    /// Belongs to no operation any more, so that no answer of the document is demanded of it.
    #[must_use]
    pub fn detached(mut self) -> Self {
        self.operation = None;
        self
    }
}

/// Tells an exchange, and what is kept of it, from every other of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExchangeId(u64);

/// How many exchanges there were.
static COUNT: AtomicU64 = AtomicU64::new(0);

/// A request with its answer.
#[derive(Debug)]
pub struct Exchange {
    id: ExchangeId,
    /// What was asked.
    pub request: Request,
    /// Status of the answer; 0 where none came.
    pub status: u16,
    /// Headers of the answer.
    pub headers: HeaderMap,
    /// Body of the answer, up to the transport's limit.
    pub body: Bytes,
    /// From sending to the last byte.
    pub elapsed: Duration,
    /// When the last byte was there.
    pub ended: Instant,
    json: OnceLock<Option<Value>>,
}

/// The first headers, as many as are kept, in memory of their own: the others are let go.
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
    /// Puts an exchange together.
    pub fn new(request: Request, status: u16, headers: HeaderMap, body: Bytes, elapsed: Duration) -> Self {
        let id = ExchangeId(COUNT.fetch_add(1, Ordering::Relaxed));
        Self { id, request, status, headers, body, elapsed, ended: Instant::now(), json: OnceLock::new() }
    }

    /// A request that got no HTTP answer: it has the status 0, as in HAR files.
    pub fn unanswered(request: Request, elapsed: Duration) -> Self {
        Self::new(request, 0, HeaderMap::new(), Bytes::new(), elapsed)
    }

    /// Which one it is.
    pub fn id(&self) -> ExchangeId {
        self.id
    }

    /// The body as JSON, if it is that and holds no more than 100,000 values.
    pub fn json(&self) -> Option<&Value> {
        // Parsed values take many times the room of their text: a hostile body must not.
        let read = || (values_in(&self.body) <= MAX_VALUES).then(|| serde_json::from_slice(&self.body).ok()).flatten();
        self.json.get_or_init(read).as_ref()
    }

    /// The same exchange with at most `length` bytes of the answer's body, for keeping. A path that holds an id of megabytes, as the
    /// target gave it out, is cut, too.
    #[must_use]
    pub fn cut(self: &std::sync::Arc<Self>, length: usize) -> std::sync::Arc<Self> {
        let has_long_headers = self.header_bytes() > KEPT_HEADERS;
        if self.body.len() <= length && self.request.path.len() <= KEPT_PATH && !has_long_headers {
            return std::sync::Arc::clone(self);
        }
        // A copy of its own, so that the rest is let go.
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
            ended: self.ended,
            json: OnceLock::new(),
        })
    }

    /// How many bytes it takes to keep it.
    pub fn kept_bytes(&self) -> usize {
        self.body.len() + self.header_bytes()
    }

    fn header_bytes(&self) -> usize {
        header_bytes(&self.headers)
    }

    /// A header's first value as text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Whether the status is 2xx.
    pub fn succeeded(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Whether the target asks to come again later: 429, or 503 with `Retry-After`.
    pub fn has_no_room(&self) -> bool {
        self.status == 429 || (self.status == 503 && self.headers.contains_key("retry-after"))
    }

    /// How long the target asks to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        self.header("retry-after").and_then(|value| value.trim().parse().ok()).map(Duration::from_secs)
    }

    /// The member `code` of a problem.
    pub fn code(&self) -> Option<&str> {
        self.json()?.get("code")?.as_str()
    }

    /// Method, path and status in one line.
    pub fn line(&self) -> String {
        format!("{} {} -> {}", self.request.method, self.request.path, self.status)
    }
}

/// About how many values JSON text holds: what separates or opens them outside of strings.
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

#[cfg(test)]
mod tests {
    use super::values_in;

    #[test]
    fn separators_inside_of_strings_are_no_values() {
        assert_eq!(values_in(br#"{"a,\"b": [1, 2], "c": "[,,,{"}"#), 4);
        assert_eq!(values_in(b"[1,1,1,1]"), 4);
    }
}
