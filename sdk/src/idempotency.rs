//! Idempotency keys: the header, the form of keys, and the evidence that a server keeps them.

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};

use crate::error::Error;
use crate::generated::builder::Generate;
use crate::generated::types::{Problem, ProblemCode};
use crate::random;

/// The header by which a server recognises a repeated request (draft-ietf-httpapi-idempotency-key-header-07).
pub(crate) static IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// The header by which a server marks a replayed response, and its value.
static IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const REPLAYED: &[u8] = b"true";
/// The header that announces quotas, and the names of this API's policies in it.
static RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const POLICIES: [&str; 2] = ["\"api\"", "\"generate\""];
/// Media type of problem documents (RFC 9457).
const PROBLEM: &str = "application/problem+json";
/// Maximum number of characters of a key, without its quotes.
const LONGEST: usize = 255;

/// Makes a new unique key; `None` if the system has no random numbers.
pub(crate) fn fresh() -> Option<HeaderValue> {
    Some(HeaderValue::from_bytes(&random::uuid()?).expect("a UUID is visible ASCII"))
}

impl<C> Generate<C> {
    /// Returns the idempotency key that the request will be sent with, and makes one unless it is set. Use it to know the key of a call
    /// that is dropped, for example by a time limit or a crash: on a server that keeps keys, the same request with the same key finds the
    /// job that the dropped call may have queued.
    ///
    /// ```no_run
    /// # async fn example(client: contentgen_sdk::Client) -> Result<(), Box<dyn std::error::Error>> {
    /// let mut request = client.generate().topic("Raised beds for a small garden").website_id("web_1");
    /// let key = request.ensure_idempotency_key()?;
    /// // … store the key; then:
    /// match tokio::time::timeout(std::time::Duration::from_secs(5), request.send()).await {
    ///     Ok(queued) => println!("{}", queued?.job_id),
    ///     Err(_dropped) => println!("send it again with {key}"),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest) if the key that was set cannot be sent,
    /// [`ErrorKind::Config`](crate::ErrorKind::Config) if the system has no random numbers.
    pub fn ensure_idempotency_key(&mut self) -> Result<String, Error> {
        let key = self.call.ensure_idempotency_key()?;
        Ok(key.to_str().unwrap_or_default().to_owned())
    }
}

/// Returns true if headers show that the server implements the whole document, and so keeps idempotency keys: it replays a response, or
/// announces the quotas of the document.
pub(crate) fn shows_that_keys_are_kept(headers: &HeaderMap) -> bool {
    let has_policy = |value: &HeaderValue| {
        value.to_str().is_ok_and(|policies| POLICIES.iter().any(|policy| policies.contains(policy)))
    };
    headers.get(&IDEMPOTENCY_REPLAYED).is_some_and(|value| value.as_bytes() == REPLAYED)
        || headers.get_all(&RATE_LIMIT_POLICY).iter().any(has_policy)
}

impl Error {
    /// Returns true if the problem shows that the server implements the whole document: a problem document with a code of it.
    pub(crate) fn shows_that_keys_are_kept(&self) -> bool {
        let is_known =
            |problem: &Problem| problem.code.as_ref().is_some_and(|code| !matches!(code, ProblemCode::Unknown(_)));
        let media_type = self.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let is_problem =
            media_type.split(';').next().is_some_and(|essence| essence.trim().eq_ignore_ascii_case(PROBLEM));
        self.is_in_flight() || (is_problem && self.problem().is_some_and(is_known))
    }
}

/// Describes the form of a key.
pub(crate) fn form() -> String {
    format!(
        "an `Idempotency-Key` has 1 to {LONGEST} visible ASCII characters; commas, semicolons, quotes and backslashes only inside of \
         a quoted string, such as \"order;4711\" with its quotes"
    )
}

/// Returns true if the key is a token or a quoted string of the document's pattern. An empty key is refused: a server that ignores it
/// would execute a retried call twice.
pub(crate) fn is_key(key: &HeaderValue) -> bool {
    let count = match key.as_bytes() {
        [b'"', inside @ .., b'"'] => quoted(inside),
        bare => bare.iter().all(|byte| byte.is_ascii_graphic() && !b"\",;\\".contains(byte)).then_some(bare.len()),
    };
    count.is_some_and(|count| (1..=LONGEST).contains(&count))
}

/// Returns the number of characters between the quotes of a string (RFC 9651 section 3.3.3), or `None` if the string is invalid.
fn quoted(inside: &[u8]) -> Option<usize> {
    let mut bytes = inside.iter();
    let mut count = 0;
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => bytes.next().filter(|escaped| b"\"\\".contains(escaped)).map(|_| ())?,
            b'"' => return None,
            byte if !byte.is_ascii_graphic() => return None,
            _ => {}
        }
        count += 1;
    }
    Some(count)
}
