//! One attempt: a request goes out, a whole response comes back within a time and a size. Responses are read here, so that
//! one that breaks off is an attempt that failed.

use std::pin::pin;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::Response;
use tracing::Span;

use crate::error::Error;
use crate::platform::{self, Instant, after};
use crate::request_template::RequestTemplate;
use crate::settings::Settings;
use crate::whole_response::{Origin, WholeResponse};

/// How much of a response is read that is no success, in bytes.
const LONGEST_ERROR: usize = 1024 * 1024;

/// How long the body of a response is waited for that is no success: its status tells more than a time-out would.
const ERROR_BODY_WITHIN: Duration = Duration::from_secs(5);

/// Waits for a response once and reads it to its end, which has to come before `end`.
pub(crate) async fn one_attempt(
    template: &RequestTemplate<'_>,
    response: impl Future<Output = reqwest::Result<Response>>,
    origin: Origin,
    (begin, end): (Instant, Instant),
) -> Result<WholeResponse, Error> {
    let settings = template.settings;
    // Pinned here, since handing it over would copy all the room that it needs.
    let response = pin!(platform::on_this_thread(received_response(settings, response, origin)));
    let error = match platform::timeout_at(end, response).await {
        Ok(Ok(ReceivedResponse::Success(response))) => return Ok(response),
        // On the heap: the room that it needs is not taken by each call that succeeds.
        Ok(Ok(ReceivedResponse::Refusal(refusal))) => {
            Box::pin(platform::on_this_thread(refused(template, refusal, end)))
        }
        Ok(Err(error)) => return Err(error),
        Err(_elapsed) => return Err(Error::timed_out(format!("no complete response within {:.1?}", end - begin))),
    };
    Err(error.await)
}

/// The error of a response that is no success. Its status says what went wrong, even where the body breaks off, does not come, or
/// is too long.
async fn refused(template: &RequestTemplate<'_>, mut response: Response, end: Instant) -> Error {
    let settings = template.settings;
    let was_redirected = template.was_redirected(response.url());
    let status = response.status();
    let headers = std::mem::take(response.headers_mut());
    let end = end.min(after(Instant::now(), ERROR_BODY_WITHIN));
    let body = read(response, settings.options.max_body_bytes.min(LONGEST_ERROR));
    let body = platform::timeout_at(end, body).await.ok().and_then(Result::ok);
    let error = Error::from_response(status, headers, &body.unwrap_or_default(), &settings.key);
    error.with(|inner| inner.was_redirected = was_redirected)
}

/// A response as far as it is read in any case.
enum ReceivedResponse {
    /// To its end.
    Success(WholeResponse),
    /// Without its body.
    Refusal(Response),
}

/// Waits for a response, and reads it to its end if it is a success.
async fn received_response(
    settings: &Settings,
    response: impl Future<Output = reqwest::Result<Response>>,
    origin: Origin,
) -> Result<ReceivedResponse, Error> {
    let mut response = response.await.map_err(Error::from_transport)?;
    // Here, for all statuses: nothing that shows a header can show the key.
    settings.key.mask_headers(response.headers_mut());
    let status = response.status();
    if !status.is_success() {
        return Ok(ReceivedResponse::Refusal(response));
    }
    let headers = std::mem::take(response.headers_mut());
    let body = read(response, settings.options.max_body_bytes).await?;
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
    // A response of one piece, which most are, is not copied.
    Ok(if rest.is_empty() { first } else { rest.freeze() })
}
