//! `POST /generate` over HTTP.

use std::sync::Arc;

use axum::response::Response;
use bytes::Bytes;
use http::header::{HeaderName, LOCATION, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, StatusCode};

use super::prefer::Preferences;
use super::problem::{Code, Problem};
use super::response::{NO_STORE, json, value};
use super::route::Api;
use crate::app::{App, Caller, CheckedBody, parse_json};
use crate::domain::idempotency;

const IDEMPOTENCY_KEY: &str = "Idempotency-Key";
const IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
pub(super) const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// Queues a job, or repeats the response to the first request with the same key.
pub(super) async fn generate(
    api: &Api,
    caller: &Caller,
    headers: &HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let is_strict = Preferences::read(headers).is_strict;
    let (app, key) = (Arc::clone(&api.app), idempotency_key(headers));
    let checked = api.large_bodies.read(body.len(), move || check_generate_body(&app, &body, is_strict, key)).await?;
    let accepted = api.app.generate(caller, checked).await?;
    let mut response = json(StatusCode::ACCEPTED, accepted.body, NO_STORE);
    let headers = response.headers_mut();
    let job = api.public_url.reference(&format!("/api/v1/jobs/{}", accepted.job_id));
    headers.insert(LOCATION, value(&job));
    headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
    if accepted.is_replay {
        headers.insert(IDEMPOTENCY_REPLAYED, HeaderValue::from_static("true"));
    }
    if is_strict {
        headers.insert(PREFERENCE_APPLIED, HeaderValue::from_static("handling=strict"));
    }
    Ok(response)
}

/// Checks the body. Reports an invalid `Idempotency-Key` only if the body is a JSON object.
fn check_generate_body(
    app: &App,
    body: &[u8],
    is_strict: bool,
    key: Result<Option<String>, Problem>,
) -> Result<CheckedBody, Problem> {
    let body = parse_json(body).map_err(|reason| Problem::new(Code::InvalidJson, sentence(reason)))?;
    if !body.is_object() {
        return Err(Problem::new(Code::InvalidJson, "The body is JSON, but not an object."));
    }
    Ok(app.check_generate_body(&body, is_strict, key?))
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let mut lines = headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(line) = lines.next() else { return Ok(None) };
    let key = idempotency::parse_key(line.as_bytes()).filter(|_| lines.next().is_none());
    let detail = "must be 1 to 255 visible ASCII characters on one line, bare or as a quoted string";
    key.map(Some).ok_or_else(|| Problem::invalid_header(IDEMPOTENCY_KEY, detail))
}

/// Turns a fragment into a sentence.
pub(super) fn sentence(fragment: &str) -> String {
    let mut characters = fragment.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).chain(['.']).collect()
}
