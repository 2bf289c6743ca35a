//! One attempt: a request goes out, a whole answer comes back within a time and a size. Answers are read here, so that
//! one that breaks off is an attempt that failed.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::{Request, Response};

use crate::error::Error;
use crate::settings::Settings;

/// Sends a request once. The answer is a success with its whole body in memory.
pub(crate) async fn once(
    client: &reqwest::Client,
    settings: &Settings,
    request: Request,
    limit: Duration,
) -> Result<Response, Error> {
    match tokio::time::timeout(limit, whole_answer(client, settings, request)).await {
        Ok(outcome) => outcome,
        Err(_elapsed) => Err(Error::timed_out(format!("no whole answer within {limit:.1?}"))),
    }
}

/// Sends a request and reads the answer to its end.
async fn whole_answer(client: &reqwest::Client, settings: &Settings, request: Request) -> Result<Response, Error> {
    let mut response = client.execute(request).await.map_err(Error::from_transport)?;
    let status = response.status();
    let headers = std::mem::take(response.headers_mut());
    let body = read(&mut response, settings.options.max_body_bytes).await;
    if status.is_success() {
        let mut whole = http::Response::new(body?);
        *whole.status_mut() = status;
        *whole.headers_mut() = headers;
        Ok(Response::from(whole))
    } else {
        // The status says what went wrong, even where the body breaks off or is too long.
        let text = String::from_utf8_lossy(&body.unwrap_or_default()).into_owned();
        Err(Error::from_answer(status, headers, &settings.key.mask(text)))
    }
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
