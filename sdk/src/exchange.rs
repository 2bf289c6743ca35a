//! One attempt: a request goes out, a whole answer comes back within a time and a size. Answers are read here, so that
//! one that breaks off is an attempt that failed.

use std::pin::pin;

use bytes::{Bytes, BytesMut};
use reqwest::Response;

use crate::answer::{Answer, Origin};
use crate::error::Error;
use crate::platform::{self, Instant};
use crate::settings::Settings;

/// How much of an answer is read that is no success, in bytes.
const LONGEST_ERROR: usize = 1024 * 1024;

/// Waits for an answer once and reads it to its end, which has to come before `end`.
pub(crate) async fn once(
    settings: &Settings,
    answer: impl Future<Output = reqwest::Result<Response>>,
    origin: Origin,
    (begin, end): (Instant, Instant),
) -> Result<Answer, Error> {
    // Pinned here, since handing it over would copy all the room that it needs.
    let answer = pin!(platform::on_this_thread(whole_answer(settings, answer, origin)));
    match platform::timeout_at(end, answer).await {
        Ok(outcome) => outcome,
        Err(_elapsed) => Err(Error::timed_out(format!("no whole answer within {:.1?}", end - begin))),
    }
}

/// Waits for an answer and reads it to its end.
async fn whole_answer(
    settings: &Settings,
    answer: impl Future<Output = reqwest::Result<Response>>,
    origin: Origin,
) -> Result<Answer, Error> {
    let mut response = answer.await.map_err(Error::from_transport)?;
    let status = response.status();
    let headers = std::mem::take(response.headers_mut());
    let most = settings.options.max_body_bytes;
    let most = if status.is_success() { most } else { most.min(LONGEST_ERROR) };
    let body = read(response, most).await;
    if status.is_success() {
        return Ok(Answer { status, headers, body: body?, origin });
    }
    // The status says what went wrong, even where the body breaks off or is too long.
    Err(Error::from_answer(status, headers, &body.unwrap_or_default(), &settings.key))
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
    // An answer of one piece, which most are, is not copied.
    Ok(if rest.is_empty() { first } else { rest.freeze() })
}
