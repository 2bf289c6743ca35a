//! `POST /generate` on the wire.

use std::time::Duration;

use axum::response::Response;
use bytes::Bytes;
use http::header::{HeaderName, LOCATION, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, StatusCode};

use super::prefer::Preferences;
use super::problem::{Code, Problem};
use super::response::{NO_STORE, json, value};
use super::route::Api;
use crate::app::{self, Caller};
use crate::domain::fault::table::{benign, http as edge, idempotency as slip, json as json_fault};
use crate::domain::idempotency;

const IDEMPOTENCY_KEY: &str = "Idempotency-Key";
const IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
pub(super) const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// Queues a job, or answers like the first request with the same key.
pub(super) async fn generate(
    api: &Api,
    caller: &Caller,
    headers: &HeaderMap,
    body: &Bytes,
) -> Result<Response, Problem> {
    if slip::BEFORE_JSON.is_on() {
        idempotency_key(headers)?;
    }
    let sent = body;
    let code = if json_fault::IS_422.is_on() { Code::ValidationFailed } else { Code::InvalidJson };
    let mut body = app::parse_json(body).map_err(|fault| Problem::new(code, sentence(fault)))?;
    if json_fault::NOT_AN_OBJECT.is_on() && !body.is_object() {
        body = serde_json::json!({});
    }
    if !body.is_object() {
        return Err(Problem::new(Code::InvalidJson, "The body is JSON, but not an object."));
    }
    if slip::OF_RAW_BYTES.is_on() {
        body["\u{0}"] = String::from_utf8_lossy(sent).into();
    }
    if slip::ESCAPES_DIFFER.is_on() {
        let text = String::from_utf8_lossy(sent);
        body["\u{0}"] = text.chars().filter(|letter| *letter == '\\').count().into();
    }
    let key = idempotency_key(headers)?.filter(|_| !slip::IGNORED.is_on());
    let is_strict = Preferences::read(headers).is_strict;
    let held = key.clone().filter(|_| benign::IN_FLIGHT.is_on());
    if held.as_ref().and_then(|key| benign::IN_FLIGHT.recall(key)).is_some_and(|state| state == "busy") {
        let detail = "The first request with this key is being processed.";
        return Err(Problem::new(Code::IdempotencyInFlight, detail).retry_after(1));
    }
    let keep = |state| held.iter().for_each(|key| benign::IN_FLIGHT.keep(key, state));
    keep("busy");
    let accepted = api.app.generate(caller, &body, key, is_strict).await;
    keep("done");
    let accepted = accepted?;
    let is_ok = accepted.is_replay && slip::REPLAY_IS_200.is_on();
    if edge::SLOW_QUEUE.is_on() {
        tokio::time::sleep(Duration::from_secs(6)).await;
    }
    let mut response = json(if is_ok { StatusCode::OK } else { StatusCode::ACCEPTED }, accepted.body, NO_STORE);
    let headers = response.headers_mut();
    if !(accepted.is_replay && slip::REPLAY_NO_LOCATION.is_on()) {
        headers.insert(LOCATION, value(&format!("/api/v1/jobs/{}", accepted.job_id)));
    }
    headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
    if (accepted.is_replay && !slip::UNMARKED.is_on()) || slip::ALL_MARKED.is_on() {
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
    if slip::KEY_EMPTY.is_on() && line.is_empty() {
        return Ok(None);
    }
    if slip::KEY_ANY_BYTE.is_on() {
        return Ok(Some(String::from_utf8_lossy(line.as_bytes()).into_owned()));
    }
    let key = idempotency::parse_key(line.as_bytes());
    let key = key.filter(|_| lines.next().is_none() || slip::FIRST_LINE.is_on());
    let key = key.filter(|key| !(slip::KEY_128.is_on() && key.len() > 128));
    let key = key.map(|key| match () {
        () if slip::KEY_LOWER.is_on() => key.to_lowercase(),
        () if slip::KEY_CUT.is_on() => key.chars().take(64).collect(),
        () => key,
    });
    let fault =
        "it must be one line of 1 to 255 visible ASCII characters, bare or as a quoted string, without parameters";
    key.map(Some).ok_or_else(|| Problem::invalid_header(IDEMPOTENCY_KEY, fault))
}

/// A fragment as a sentence.
pub(super) fn sentence(fragment: &str) -> String {
    let mut characters = fragment.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).chain(['.']).collect()
}
