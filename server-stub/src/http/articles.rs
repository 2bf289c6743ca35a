//! `GET /articles/{id}` on the wire: the stored bytes as they stand, or 304.

use std::time::{Duration, UNIX_EPOCH};

use axum::response::Response;
use bytes::Bytes;
use http::header::{CONTENT_LOCATION, ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED};
use http::{HeaderMap, HeaderValue, StatusCode};

use super::conditional::{entity_tag, is_held};
use super::problem::Problem;
use super::response::{REVALIDATE, json, not_modified, value};
use super::route::Api;
use crate::app::Caller;
use crate::domain::clock::Timestamp;
use crate::domain::fault::table::{isolation, outside, state};
use crate::domain::publication::Article;
use crate::domain::store::StoredArticle;

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
    let mut article = as_first_read(id, article);
    if state::ARTICLE_TAG_OF_ID.is_on() {
        article.etag = entity_tag(article.id.as_bytes());
    }
    if state::ARTICLE_TAG_OF_ADDRESS.is_on() {
        article.etag = entity_tag(format!("{id}{}", article.etag).as_bytes());
    }
    let is_fresh = state::MODIFIED_SINCE.is_on() && headers.contains_key(IF_MODIFIED_SINCE);
    let tag = value(&article.etag);
    let sent = headers.get(IF_NONE_MATCH).map_or(&[][..], HeaderValue::as_bytes);
    let is_other = (state::ARTICLE_MATCH_EXACT.is_on() && sent != article.etag.as_bytes())
        || (outside::MATCH_NOT_BY_JOB.is_on() && id != article.id);
    let modified_at = if outside::MODIFIED_IS_CREATED.is_on() { created_at(&article) } else { article.updated_at };
    let mut response = if (is_held(headers, &article.etag) && !is_other) || is_fresh {
        not_modified(tag)
    } else {
        let mut response = json(StatusCode::OK, article.body, REVALIDATE);
        response.headers_mut().insert(ETAG, tag);
        response.headers_mut().insert(LAST_MODIFIED, value(&http_date(modified_at)));
        response
    };
    if id != article.id && !state::NO_CONTENT_LOCATION.is_on() {
        let named = if state::CONTENT_LOCATION_JOB.is_on() { id } else { &article.id };
        let canonical = format!("/api/v1/articles/{named}");
        response.headers_mut().insert(CONTENT_LOCATION, value(&canonical));
    }
    Ok(response)
}

/// As a slip: the article as it was when it was first read by the id of its job.
fn as_first_read(id: &str, mut article: StoredArticle) -> StoredArticle {
    if id == article.id {
        return article;
    }
    if let Some(first) = outside::BY_JOB_KEPT.recall(id) {
        let (etag, body) = first.split_once('\n').unwrap_or_default();
        (article.etag, article.body) = (etag.to_owned(), Bytes::from(body.to_owned()));
    } else {
        outside::BY_JOB_KEPT.keep(id, &format!("{}\n{}", article.etag, String::from_utf8_lossy(&article.body)));
    }
    article
}

fn created_at(article: &StoredArticle) -> Timestamp {
    serde_json::from_slice::<Article>(&article.body).map_or(article.updated_at, |article| article.created_at)
}

/// RFC 9110 section 5.6.7.
fn http_date(time: Timestamp) -> String {
    let seconds = Duration::from_secs(u64::try_from(time.seconds()).unwrap_or(0));
    httpdate::fmt_http_date(UNIX_EPOCH + seconds)
}
