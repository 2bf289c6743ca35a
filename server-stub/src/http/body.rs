//! Reads request bodies within limits of size and time, and parses large ones on separate threads, so that they do not delay
//! other requests.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE, EXPECT};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::Body as _;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout, timeout_at};

use super::problem::{Code, Problem, sentence};
use crate::app::parse_json;

/// Maximum size of a request body in bytes (`request_body` under `x-limits`).
pub(super) const MAX_API_BODY_BYTES: usize = 64 * 1024;
/// Maximum size of a lead form in bytes (`capture_body` under `x-limits`).
pub(super) const MAX_CAPTURE_BODY_BYTES: usize = 16 * 1024;
/// Maximum number of bytes of a refused body that are read and discarded.
const MAX_DISCARDED_BYTES: usize = 4 * 1024 * 1024;
/// Maximum time for reading and discarding a refused body.
const DISCARD_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum size in bytes of a body that is parsed on the current thread. That takes less than a millisecond, and most bodies
/// are smaller.
const MAX_SMALL_BYTES: usize = 4 * 1024;

/// Refuses every media type except `application/json`; ignores parameters.
pub(super) fn check_json(headers: &HeaderMap) -> Result<(), Problem> {
    if media_type(headers).as_deref() == Some("application/json") {
        return Ok(());
    }
    Err(Problem::new(Code::UnsupportedMediaType, "Send the body as application/json, without Content-Encoding."))
}

/// Returns the media type in lower case, without parameters. Returns `None` without exactly one media type, or if the body
/// has a content encoding.
pub(super) fn media_type(headers: &HeaderMap) -> Option<String> {
    let is_encoded =
        headers.get_all(CONTENT_ENCODING).iter().any(|value| !value.as_bytes().eq_ignore_ascii_case(b"identity"));
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let value = values.next().filter(|_| !is_encoded)?.to_str().ok()?;
    let essence = value.split(';').next().unwrap_or_default().trim_matches([' ', '\t']);
    values.next().is_none().then(|| essence.to_ascii_lowercase())
}

/// Parses a body as a JSON object.
pub(super) fn json_object(bytes: &[u8]) -> Result<Value, Problem> {
    let value = parse_json(bytes).map_err(|reason| Problem::new(Code::InvalidJson, sentence(reason)))?;
    if value.is_object() {
        return Ok(value);
    }
    Err(Problem::new(Code::InvalidJson, "The body is JSON, but not an object."))
}

/// Reads the whole body: at most `limit` bytes, within `time`.
pub(super) async fn read(headers: &HeaderMap, mut body: Body, limit: usize, time: Duration) -> Result<Bytes, Problem> {
    if body.size_hint().lower() <= limit as u64 {
        match timeout(time, Limited::new(&mut body, limit).collect()).await {
            Ok(Ok(whole)) => return Ok(whole.to_bytes()),
            Ok(Err(error)) if error.is::<LengthLimitError>() => {}
            Ok(Err(_)) => return Err(Problem::new(Code::InvalidHeader, "The body ended early or is malformed.")),
            Err(_) => {
                let detail = format!("The body did not arrive within {} seconds.", time.as_secs_f32());
                return Err(Problem::new(Code::RequestTimeout, detail));
            }
        }
    }
    discard(headers, body).await;
    Err(Problem::new(Code::PayloadTooLarge, format!("The body is larger than {} KiB.", limit / 1024)))
}

/// Reads and discards a refused body within the limits above, so that the client receives the response. Skips it if the client
/// waits for `100 Continue`: it has sent nothing yet.
pub(super) async fn discard(headers: &HeaderMap, mut body: Body) {
    let deadline = Instant::now() + DISCARD_TIMEOUT;
    let mut seen = 0;
    while seen < MAX_DISCARDED_BYTES && !body.is_end_stream() && !headers.contains_key(EXPECT) {
        let Ok(Some(Ok(frame))) = timeout_at(deadline, body.frame()).await else { return };
        seen += frame.data_ref().map_or(0, Bytes::len);
    }
}

/// Parses large bodies on at most half of the cores, so that other requests continue however many arrive.
#[derive(Debug)]
pub(super) struct LargeBodies {
    permits: Arc<Semaphore>,
}

impl Default for LargeBodies {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { permits: Arc::new(Semaphore::new((cores / 2).max(1))) }
    }
}

impl LargeBodies {
    /// Runs `read`, which parses a body of `bytes` bytes.
    pub(super) async fn read<T: Send + 'static>(&self, bytes: usize, read: impl FnOnce() -> T + Send + 'static) -> T {
        if bytes <= MAX_SMALL_BYTES {
            return read();
        }
        let permit = Arc::clone(&self.permits).acquire_owned().await.expect("the semaphore is never closed");
        let reading = spawn_blocking(move || {
            // Keep the permit until the work is done, even if the caller is gone.
            let _permit = permit;
            read()
        });
        reading.await.unwrap_or_else(|error| resume_unwind(error.into_panic()))
    }
}
