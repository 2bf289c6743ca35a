//! One attempt: sends a request and reads the whole response within a time and a size limit. Responses are read here, so that
//! one that breaks off counts as a failed attempt.

use std::pin::pin;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::Response;
use tracing::Span;

use crate::call::PreparedCall;
use crate::error::Error;
use crate::idempotency;
use crate::platform::{self, Instant, after};
use crate::response::{Origin, WholeResponse};

/// Maximum size of a response without success, in bytes.
const LONGEST_ERROR: usize = 1024 * 1024;

/// Time limit for the body of a response without success. After it, the status alone makes the error, which is better than a time-out.
const ERROR_BODY_WITHIN: Duration = Duration::from_secs(5);

/// Waits for one response and reads it to its end, at most until `end`.
pub(crate) async fn one_attempt(
    call: &PreparedCall,
    response: impl Future<Output = reqwest::Result<Response>>,
    origin: Origin,
    (begin, end): (Instant, Instant),
) -> Result<WholeResponse, Error> {
    // Pinned here, because moving the future would copy all of it.
    let response = pin!(platform::on_this_thread(received_response(call, response, origin)));
    let error = match platform::timeout_at(end, response).await {
        Ok(Ok(ReceivedResponse::Success(response))) => return Ok(response),
        // Boxed, so that successful calls do not need its memory.
        Ok(Ok(ReceivedResponse::Refusal(refusal))) => Box::pin(platform::on_this_thread(refused(call, refusal, end))),
        Ok(Err(error)) => return Err(error),
        Err(_elapsed) => return Err(Error::timed_out(format!("no complete response within {:.1?}", end - begin))),
    };
    Err(error.await)
}

/// Makes the error of a response without success. Its status says what went wrong, even if the body breaks off, does not arrive, or
/// is too long.
async fn refused(call: &PreparedCall, mut response: Response, end: Instant) -> Error {
    let client = &call.client.inner;
    let was_redirected = call.was_redirected(response.url());
    let status = response.status();
    let headers = std::mem::take(response.headers_mut());
    let end = end.min(after(Instant::now(), ERROR_BODY_WITHIN));
    let body = read(response, client.options.max_body_bytes.min(LONGEST_ERROR));
    let body = platform::timeout_at(end, body).await.ok().and_then(Result::ok);
    let error = Error::from_response(status, headers, &body.unwrap_or_default(), &client.key);
    let is_evidence = error.shows_that_keys_are_kept() || idempotency::shows_that_keys_are_kept(error.headers());
    if is_evidence && call.operation().is_documented() && !was_redirected {
        client.server.learn_that_keys_are_kept();
    }
    error.with(|inner| inner.was_redirected = was_redirected)
}

/// Learns from the head of a successful response that the server keeps idempotency keys.
fn learn(call: &PreparedCall, response: &Response) {
    let server = &call.client.inner.server;
    if !server.keeps_keys()
        && call.operation().is_documented()
        && idempotency::shows_that_keys_are_kept(response.headers())
        && !call.was_redirected(response.url())
    {
        server.learn_that_keys_are_kept();
    }
}

/// A response, read as far as the status requires.
enum ReceivedResponse {
    /// A success, read to its end.
    Success(WholeResponse),
    /// A refusal, without its body.
    Refusal(Response),
}

/// Waits for a response, and reads it to its end if it is a success.
async fn received_response(
    call: &PreparedCall,
    response: impl Future<Output = reqwest::Result<Response>>,
    origin: Origin,
) -> Result<ReceivedResponse, Error> {
    let client = &call.client.inner;
    let mut response = response.await.map_err(Error::from_transport)?;
    // Mask the headers here, for all statuses, so that no later output of a header shows the key.
    client.key.mask_headers(response.headers_mut());
    let status = response.status();
    if !status.is_success() {
        return Ok(ReceivedResponse::Refusal(response));
    }
    learn(call, &response);
    let headers = std::mem::take(response.headers_mut());
    let body = read(response, client.options.max_body_bytes).await?;
    Ok(ReceivedResponse::Success(WholeResponse { status, headers, body, origin, key: None, span: Span::none() }))
}

/// Reads a body of at most `limit` bytes.
async fn read(response: Response, limit: usize) -> Result<Bytes, Error> {
    let too_large = |length: Option<u64>| {
        length.is_some_and(|length| usize::try_from(length).map_or(true, |length| length > limit))
    };
    if too_large(response.content_length()) {
        return Err(Error::too_large(limit));
    }
    let mut body = platform::body_of(response);
    let Some(first) = body.chunk().await.map_err(Error::from_transport)? else {
        return Ok(Bytes::new());
    };
    let mut rest = BytesMut::new();
    let mut length = first.len();
    while let Some(chunk) = body.chunk().await.map_err(Error::from_transport)? {
        if rest.is_empty() {
            rest.extend_from_slice(&first);
        }
        length += chunk.len();
        if length > limit {
            return Err(Error::too_large(limit));
        }
        rest.extend_from_slice(&chunk);
    }
    if length > limit {
        return Err(Error::too_large(limit));
    }
    // A response of one chunk, the usual case, is not copied.
    Ok(if rest.is_empty() { first } else { rest.freeze() })
}
