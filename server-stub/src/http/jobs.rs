//! `GET /jobs/{job_id}` and its cancellation over HTTP.

use axum::response::Response;
use http::header::{ETAG, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, StatusCode};

use super::conditional::matches_if_none_match;
use super::generate::PREFERENCE_APPLIED;
use super::prefer::Preferences;
use super::problem::Problem;
use super::response::{NO_STORE, REVALIDATE, encode, json, not_modified, value};
use super::route::Api;
use crate::app::Caller;
use crate::domain::entity_tag::entity_tag;

/// Returns the job at once, or after it has ended if the caller prefers to wait.
pub(super) async fn get_job(
    api: &Api,
    caller: &Caller,
    job_id: &str,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let wait = Preferences::read(headers).wait;
    let job = api.app.get_job(caller, job_id, wait).await?;
    let body = encode(&job.view());
    let tag = entity_tag(&body);
    let mut response = if matches_if_none_match(headers, &tag) {
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

/// Cancels the job and returns it.
pub(super) async fn cancel_job(api: &Api, caller: &Caller, id: &str) -> Result<Response, Problem> {
    let job = api.app.cancel_job(caller, id).await?;
    Ok(json(StatusCode::OK, encode(&job.view()), NO_STORE))
}
