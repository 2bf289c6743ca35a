//! Handles the operations of the public API, in the contract's order: checks credentials, rate, scope, media type and size,
//! then runs the operation. `generate` is in its own file.

use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use http::header::{AUTHORIZATION, CONTENT_LOCATION, ETAG, LAST_MODIFIED, LINK, RETRY_AFTER, WWW_AUTHENTICATE};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode, Uri};
use serde::Serialize;
use url::form_urlencoded;

use super::body;
use super::generate::{PREFERENCE_APPLIED, generate};
use super::prefer::Preferences;
use super::problem::{Code, Problem};
use super::response::{NO_STORE, REVALIDATE, encode, json, matches_if_none_match, not_modified, value};
use super::route::{Api, path_id};
use crate::app::{App, Caller, Error, Operation, Page};
use crate::domain::validators::entity_tag;

/// Returns the response to a request to `operation`.
pub(super) async fn handle_request(api: &Api, operation: Operation, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let mut body = Some(body);
    let caller = match caller(&api.app, &parts.headers).await {
        Ok(caller) => caller,
        Err(problem) => return refuse(problem, &parts, body).await,
    };
    let charge = api.quotas.charge(&caller, operation.policy(), api.app.clock()).await;
    let outcome = match charge.check() {
        Ok(()) => run_operation(api, operation, &caller, &mut parts, &mut body).await,
        Err(problem) => Err(problem),
    };
    let mut response = match outcome {
        Ok(response) => response,
        Err(problem) => refuse(problem, &parts, body).await,
    };
    charge.add_headers(response.headers_mut());
    response
}

/// Returns the caller that the request's key identifies (RFC 6750 section 2.1). The use case decides whether the key is valid.
async fn caller(app: &App, headers: &HeaderMap) -> Result<Caller, Problem> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Err(missing()) };
    if values.next().is_some() {
        return Err(Error::InvalidCredentials.into());
    }
    let value = value.as_bytes();
    let (scheme, rest) = value.split_at(value.iter().position(|byte| *byte == b' ').unwrap_or(value.len()));
    if !scheme.eq_ignore_ascii_case(b"bearer") {
        return Err(missing());
    }
    let secret = std::str::from_utf8(rest).map_err(|_| Error::InvalidCredentials)?.trim_matches(' ');
    Ok(app.authenticate(secret).await?)
}

fn missing() -> Problem {
    Problem::new(Code::MissingCredentials, "Send the platform key as `Authorization: Bearer <key>`.")
        .with_header(WWW_AUTHENTICATE, HeaderValue::from_static(r#"Bearer realm="content-generation""#))
}

async fn run_operation(
    api: &Api,
    operation: Operation,
    caller: &Caller,
    parts: &mut Parts,
    body: &mut Option<Body>,
) -> Result<Response, Problem> {
    caller.require(operation.scope())?;
    if operation == Operation::Generate {
        body::check_json(&parts.headers)?;
    }
    let sent = body.take().unwrap_or_default();
    // An operation that needs no body ignores it, but still refuses one that is too large.
    let body = body::read(&parts.headers, sent, body::MAX_API_BODY_BYTES, api.deadlines.body).await?;
    let id = path_id(parts).await;
    let (app, headers, uri) = (&api.app, &parts.headers, &parts.uri);
    let query = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let query: Vec<(String, String)> = query.into_owned().collect();
    match operation {
        Operation::Generate => generate(api, caller, headers, body).await,
        Operation::ListArticles => Ok(page(api, uri, &query, &app.list_articles(caller, &query).await?)),
        Operation::GetArticle => get_article(api, caller, &id, headers).await,
        Operation::GetJob => get_job(api, caller, &id, headers).await,
        Operation::CancelJob => Ok(current(&app.cancel_job(caller, &id).await?.view())),
        Operation::ListLeads => Ok(page(api, uri, &query, &app.list_leads(caller, &query).await?)),
        Operation::GetLead => Ok(current(&app.get_lead(caller, &id).await?)),
        Operation::ListScheduledPosts => Ok(page(api, uri, &query, &app.list_scheduled_posts(caller, &query).await?)),
        Operation::GetScheduledPost => Ok(current(&app.get_scheduled_post(caller, &id).await?)),
        Operation::ListWebsites => Ok(page(api, uri, &query, &app.list_websites(caller, &query).await?)),
    }
}

/// Returns the stored bytes of the article with this id or this job's id, or 304.
async fn get_article(api: &Api, caller: &Caller, id: &str, headers: &HeaderMap) -> Result<Response, Problem> {
    let article = api.app.get_article(caller, id).await?;
    let tag = value(&article.etag);
    let mut response = if matches_if_none_match(headers, &article.etag) {
        not_modified(tag)
    } else {
        let mut response = json(StatusCode::OK, article.body, REVALIDATE);
        response.headers_mut().insert(ETAG, tag);
        let updated_at = httpdate::fmt_http_date(article.updated_at.to_chrono().into());
        response.headers_mut().insert(LAST_MODIFIED, value(&updated_at));
        response
    };
    if id != article.id {
        let canonical = api.public_url.reference(&format!("/api/v1/articles/{}", article.id));
        response.headers_mut().insert(CONTENT_LOCATION, value(&canonical));
    }
    Ok(response)
}

/// Returns the job at once, or after it has ended if the caller prefers to wait. If too many requests of the key wait already, this
/// one does not.
async fn get_job(api: &Api, caller: &Caller, job_id: &str, headers: &HeaderMap) -> Result<Response, Problem> {
    let wait = Preferences::read(headers).wait;
    let waiting = wait.and_then(|_| api.long_polls.begin(vec![(caller.key_id.clone(), 1)]));
    let wait = wait.filter(|_| waiting.is_some());
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

/// Returns the current state of a resource.
fn current(resource: &impl Serialize) -> Response {
    json(StatusCode::OK, encode(resource), NO_STORE)
}

fn page<T: Serialize>(api: &Api, uri: &Uri, query: &[(String, String)], page: &Page<T>) -> Response {
    let mut response = json(StatusCode::OK, encode(page), NO_STORE);
    if let Some(token) = &page.next_page {
        let mut next = form_urlencoded::Serializer::new(String::new());
        next.extend_pairs(query.iter().filter(|(name, _)| name != "page_token"));
        next.append_pair("page_token", token);
        let link = format!("<{}?{}>; rel=\"next\"", api.public_url.reference(uri.path()), next.finish());
        response.headers_mut().insert(LINK, value(&link));
    }
    response
}

/// Returns the problem as a response, after reading the rest of the body. Closing the connection on unread bytes could lose the
/// response.
async fn refuse(problem: Problem, parts: &Parts, body: Option<Body>) -> Response {
    if let Some(body) = body {
        body::discard(&parts.headers, body).await;
    }
    problem.into_response()
}
