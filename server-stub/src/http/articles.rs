//! `GET /articles/{id}` on the wire: the stored bytes as they stand, or 304.

use std::time::{Duration, UNIX_EPOCH};

use axum::response::Response;
use http::header::{CONTENT_LOCATION, ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED};
use http::{HeaderMap, HeaderValue, StatusCode};

use super::conditional::{entity_tag, is_held};
use super::problem::Problem;
use super::response::{REVALIDATE, json, not_modified, value};
use super::route::Api;
use crate::app::Caller;
use crate::domain::clock::Timestamp;
use crate::domain::fault::table::{isolation, state};

/// The article by its own id or its job's.
pub(super) async fn get_article(
    api: &Api,
    caller: &Caller,
    id: &str,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let answer = api.app.get_article(caller, id).await;
    if answer.is_err()
        && let Some(tag) = isolation::TAG_BEFORE_OWNER.recall(id)
        && is_held(headers, &tag)
    {
        return Ok(not_modified(value(&tag)));
    }
    let article = answer?;
    isolation::TAG_BEFORE_OWNER.keep(id, &article.etag);
    isolation::TAG_BEFORE_OWNER.keep(&article.id, &article.etag);
    let mut article = article;
    if state::ARTICLE_TAG_OF_ID.is_on() {
        article.etag = entity_tag(article.id.as_bytes());
    }
    if state::ARTICLE_TAG_OF_ADDRESS.is_on() {
        article.etag = entity_tag(format!("{id}{}", article.etag).as_bytes());
    }
    let is_fresh = state::MODIFIED_SINCE.is_on() && headers.contains_key(IF_MODIFIED_SINCE);
    let tag = value(&article.etag);
    let sent = headers.get(IF_NONE_MATCH).map_or(&[][..], HeaderValue::as_bytes);
    let is_other = state::ARTICLE_MATCH_EXACT.is_on() && sent != article.etag.as_bytes();
    let mut response = if (is_held(headers, &article.etag) && !is_other) || is_fresh {
        not_modified(tag)
    } else {
        let mut response = json(StatusCode::OK, article.body, REVALIDATE);
        response.headers_mut().insert(ETAG, tag);
        response.headers_mut().insert(LAST_MODIFIED, value(&http_date(article.updated_at)));
        response
    };
    if id != article.id && !state::NO_CONTENT_LOCATION.is_on() {
        let named = if state::CONTENT_LOCATION_JOB.is_on() { id } else { &article.id };
        let canonical = format!("/api/v1/articles/{named}");
        response.headers_mut().insert(CONTENT_LOCATION, value(&canonical));
    }
    Ok(response)
}

/// RFC 9110 section 5.6.7.
fn http_date(time: Timestamp) -> String {
    let seconds = Duration::from_secs(u64::try_from(time.seconds()).unwrap_or(0));
    httpdate::fmt_http_date(UNIX_EPOCH + seconds)
}
