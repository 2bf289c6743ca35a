//! `POST /generate` over HTTP.

use std::sync::Arc;

use axum::response::Response;
use bytes::Bytes;
use http::header::{HeaderName, LOCATION, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, StatusCode};

use super::body;
use super::prefer::Preferences;
use super::problem::Problem;
use super::response::{NO_STORE, json, value};
use super::route::Api;
use crate::app::{Caller, Submitter};
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
    let (app, key, length) = (Arc::clone(&api.app), idempotency_key(headers), body.len());
    let check = move || {
        let body = body::json_object(&body)?;
        // An invalid `Idempotency-Key` is reported only if the body is a JSON object.
        Ok::<_, Problem>(app.check_generate_body(&body, is_strict, key?))
    };
    let checked = api.large_bodies.read(length, check).await?;
    let accepted = api.app.generate(&caller.visibility, checked, Submitter::Caller).await?;
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

fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let mut lines = headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(line) = lines.next() else { return Ok(None) };
    let key = idempotency::parse_key(line.as_bytes()).filter(|_| lines.next().is_none());
    let detail = "must be 1 to 255 visible ASCII characters on one line, bare or as a quoted string";
    key.map(Some).ok_or_else(|| Problem::invalid_header(IDEMPOTENCY_KEY, detail))
}
