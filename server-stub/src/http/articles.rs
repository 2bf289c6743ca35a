//! `GET /articles/{id}` over HTTP: the stored bytes unchanged, or 304.

use std::time::{Duration, UNIX_EPOCH};

use axum::response::Response;
use http::header::{CONTENT_LOCATION, ETAG, LAST_MODIFIED};
use http::{HeaderMap, StatusCode};

use super::conditional::matches_if_none_match;
use super::problem::Problem;
use super::response::{REVALIDATE, json, not_modified, value};
use super::route::Api;
use crate::app::Caller;
use crate::domain::clock::Timestamp;

/// Returns the article by its id or by its job's id.
pub(super) async fn get_article(
    api: &Api,
    caller: &Caller,
    id: &str,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let article = api.app.get_article(caller, id).await?;
    let tag = value(&article.etag);
    let mut response = if matches_if_none_match(headers, &article.etag) {
        not_modified(tag)
    } else {
        let mut response = json(StatusCode::OK, article.body, REVALIDATE);
        response.headers_mut().insert(ETAG, tag);
        response.headers_mut().insert(LAST_MODIFIED, value(&http_date(article.updated_at)));
        response
    };
    if id != article.id {
        let canonical = api.public_url.reference(&format!("/api/v1/articles/{}", article.id));
        response.headers_mut().insert(CONTENT_LOCATION, value(&canonical));
    }
    Ok(response)
}

/// Formats a time as an HTTP date (RFC 9110 section 5.6.7).
fn http_date(time: Timestamp) -> String {
    let seconds = Duration::from_secs(u64::try_from(time.seconds()).unwrap_or(0));
    httpdate::fmt_http_date(UNIX_EPOCH + seconds)
}
