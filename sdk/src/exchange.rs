//! One attempt: a request goes out, a whole answer comes back within a time and a size. Answers are read here, so that
//! one that breaks off is an attempt that failed.

use std::pin::pin;

use bytes::{Bytes, BytesMut};
use reqwest::Response;
use tokio::time::Instant;

use crate::answer::{Answer, Origin};
use crate::error::Error;
use crate::settings::Settings;

/// Waits for an answer once and reads it to its end, which has to come before `end`.
pub(crate) async fn once(
    settings: &Settings,
    answer: impl Future<Output = reqwest::Result<Response>>,
    origin: Origin,
    (begin, end): (Instant, Instant),
) -> Result<Answer, Error> {
    // Pinned here, since handing it over would copy all the room that it needs.
    let answer = pin!(whole_answer(settings, answer, origin));
    match tokio::time::timeout_at(end, answer).await {
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
    let body = read(&mut response, settings.options.max_body_bytes).await;
    let status = response.status();
    let headers = std::mem::take(response.headers_mut());
    if status.is_success() {
        return Ok(Answer { status, headers, body: body?, origin });
    }
    // The status says what went wrong, even where the body breaks off or is too long.
    let text = String::from_utf8_lossy(&body.unwrap_or_default()).into_owned();
    Err(Error::from_answer(status, headers, &settings.key.mask(text)))
}

/// Reads a body of at most `limit` bytes.
async fn read(response: &mut Response, limit: usize) -> Result<Bytes, Error> {
    let too_large = |length: Option<u64>| {
        length.is_some_and(|length| usize::try_from(length).map_or(true, |length| length > limit))
    };
    if too_large(response.content_length()) {
        return Err(Error::too_large(limit));
    }
    let Some(first) = response.chunk().await.map_err(Error::from_transport)? else {
        return Ok(Bytes::new());
    };
    let mut rest = BytesMut::new();
    let mut length = first.len();
    while let Some(chunk) = response.chunk().await.map_err(Error::from_transport)? {
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
