//! `GET /jobs/{job_id}` and its cancellation on the wire.

use axum::response::Response;
use http::header::{ETAG, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, StatusCode};

use super::conditional::{entity_tag, is_held};
use super::generate::PREFERENCE_APPLIED;
use super::prefer::Preferences;
use super::problem::{Code, Problem};
use super::response::{NO_STORE, REVALIDATE, encode, json, not_modified, value};
use super::route::Api;
use crate::app::Caller;
use crate::domain::fault::table::{isolation, outside, state};
use crate::domain::id::{self, Kind};
use crate::domain::job::JobStatus;

/// The job as it stands, or once it has ended for a caller who prefers to wait.
pub(super) async fn get_job(
    api: &Api,
    caller: &Caller,
    job_id: &str,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let wait = Preferences::read(headers).wait.filter(|_| !state::WAIT_IGNORED.is_on());
    if state::WAIT_REFUSED.is_on() && wait.is_none() && headers.contains_key("prefer") {
        return Err(Problem::invalid_header("Prefer", "it is malformed"));
    }
    let sent = headers.get("prefer").and_then(|value| value.to_str().ok()).unwrap_or_default();
    if state::WAIT_OVERFLOWS.is_on() && sent.strip_prefix("wait=").is_some_and(|digits| digits.len() > 19) {
        return Err(Problem::invalid_header("Prefer", "it is out of range"));
    }
    if outside::STAR_BEFORE_EXISTENCE.is_on() && is_held(headers, "\"*\"") {
        return Ok(not_modified(value("\"*\"")));
    }
    if outside::MATCH_BEFORE_WAIT.is_on() && wait.is_some() {
        let job = api.app.get_job(caller, job_id, None).await?;
        let tag = entity_tag(&encode(&job.view()));
        if is_held(headers, &tag) && job.status != JobStatus::Completed {
            return Ok(not_modified(value(&tag)));
        }
    }
    let answer = api.app.get_job(caller, job_id, wait).await;
    if answer.is_err() && isolation::JOB_DETAIL_TELLS.recall(job_id).is_some() {
        return Err(Problem::new(Code::JobNotFound, "The job belongs to another account."));
    }
    let job = answer?;
    let body = encode(&job.view());
    let tag = match () {
        () if state::TAG_EACH_TIME.is_on() => entity_tag(id::new(Kind::Request, api.app.clock().now()).as_bytes()),
        () if state::TAG_WEAK.is_on() => format!("W/{}", entity_tag(&body)),
        () if state::TAG_OF_ID.is_on() => entity_tag(job.id.as_bytes()),
        () => entity_tag(&body),
    };
    let forgets = wait.is_some() && state::WAIT_FORGETS_TAG.is_on();
    let mut response = if is_held(headers, &tag) && !forgets {
        not_modified(value(&tag))
    } else {
        let mut response = json(StatusCode::OK, body, REVALIDATE);
        response.headers_mut().insert(ETAG, value(&tag));
        response
    };
    if !job.status.is_terminal() {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    if let Some(wait) = wait {
        response.headers_mut().insert(PREFERENCE_APPLIED, value(&format!("wait={}", wait.as_secs())));
    }
    Ok(response)
}

/// The cancelled job.
pub(super) async fn cancel_job(api: &Api, caller: &Caller, id: &str) -> Result<Response, Problem> {
    let job = api.app.cancel_job(caller, id).await?;
    Ok(json(StatusCode::OK, encode(&job.view()), NO_STORE))
}
