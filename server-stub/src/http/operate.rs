//! What every operation of the public API goes through, in the contract's order: credentials, rate, scope, media type and
//! size, then the operation. Route and method came before; what follows is the operation's own file.

use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::request::Parts;
use http::{HeaderValue, Method, StatusCode};

use super::body;
use super::credentials;
use super::problem::{Code, Problem};
use super::route::{Api, path_id};
use super::{articles, generate, jobs, lists};
use crate::app::{self, Caller, Operation, parse_json};
use crate::domain::fault::table::{auth, http as edge, input, limits, outside, state};
use crate::domain::key::Permission;

/// Answers one request to `operation`.
pub(super) async fn operate(api: &Api, operation: Operation, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let mut body = Some(body);
    if auth::BODY_FIRST.is_on() && operation == Operation::Generate {
        let sent = body.take().unwrap_or_default();
        match body::read(&parts.headers, sent, body::API_LIMIT, api.deadlines.body).await {
            Ok(bytes) if parse_json(&bytes).is_err() => {
                return Problem::new(Code::InvalidJson, "The body is no JSON.").into_response();
            }
            Ok(bytes) => body = Some(Body::from(bytes)),
            Err(problem) => return problem.into_response(),
        }
    }
    if auth::SIZE_FIRST.is_on() && body::is_announced_too_large(&parts.headers) {
        return refuse(Problem::new(Code::PayloadTooLarge, "The body is too large."), &parts, body).await;
    }
    let caller = match credentials::caller(&api.app, &parts.headers).await {
        Ok(caller) => caller,
        Err(problem) => {
            if let Some(secret) = auth::ARTICLE_OPEN.recall("secret")
                && let (Operation::GetArticle, Ok(caller)) = (operation, api.app.authenticate(&secret).await)
                && let Ok(response) = answer(api, operation, &caller, &mut parts, &mut None).await
            {
                return response;
            }
            if let Some(secret) = outside::HEAD_OPEN.recall("secret")
                && parts.method == Method::HEAD
                && let Ok(caller) = api.app.authenticate(&secret).await
                && let Ok(response) = answer(api, operation, &caller, &mut parts, &mut None).await
            {
                return response;
            }
            return refuse(problem, &parts, body).await;
        }
    };
    let key = parts.headers.get("idempotency-key").and_then(|key| key.to_str().ok()).unwrap_or_default().to_owned();
    let is_generate = operation == Operation::Generate;
    let charge = api.quotas.charge(&caller, operation.policy(), api.app.clock().now());
    let spread = outside::QUOTA_SPREADS.recall(&caller.key_id).and_then(|until| until.parse::<i64>().ok());
    let is_held = is_generate && outside::HELD_BY_QUOTA.recall(&key).is_some();
    let answer = match charge.check() {
        Ok(()) if !is_generate && spread.is_some_and(|until| api.app.clock().now().millis() < until) => {
            Err(Problem::rate_limited("generate", 1))
        }
        Ok(()) if is_held => {
            let detail = "The first request with this key is being processed.";
            Err(Problem::new(Code::IdempotencyInFlight, detail).retry_after(1))
        }
        Ok(()) => answer(api, operation, &caller, &mut parts, &mut body).await,
        Err(problem) => {
            if is_generate {
                let until = api.app.clock().now().plus_millis(2000);
                outside::QUOTA_SPREADS.keep(&caller.key_id, &until.millis().to_string());
            }
            if is_generate && !key.is_empty() {
                outside::HELD_BY_QUOTA.keep(&key, "held");
            }
            if limits::QUEUED_ANYWAY.is_on() && operation == Operation::Generate {
                let _ = answer(api, operation, &caller, &mut parts, &mut body).await;
            }
            Err(problem)
        }
    };
    let mut response = match answer {
        Ok(response) => response,
        Err(problem) => refuse(problem, &parts, body).await,
    };
    if !(limits::UNANNOUNCED_ON_404.is_on() && response.status().is_client_error()) {
        charge.announce(response.headers_mut());
    }
    let is_free = (outside::HEAD_FREE.is_on() && parts.method == Method::HEAD)
        || (outside::REFUSALS_FREE.is_on() && response.status() == StatusCode::NOT_FOUND)
        || (outside::NOT_MODIFIED_FREE.is_on() && response.status() == StatusCode::NOT_MODIFIED);
    if is_free {
        api.quotas.refund(&caller);
    }
    tell_old_quota(&key, &mut response);
    response
}

async fn answer(
    api: &Api,
    operation: Operation,
    caller: &Caller,
    parts: &mut Parts,
    body: &mut Option<Body>,
) -> Result<Response, Problem> {
    if auth::SCOPE_LAST.is_on() && operation == Operation::Generate {
        body::check_json(&parts.headers)?;
    }
    if operation == Operation::CancelJob && outside::CANCEL_SCOPE_MISNAMED.is_on() {
        caller.require(Permission::GenerateWrite).map_err(|_| app::Error::InsufficientScope(Permission::JobsRead))?;
    }
    caller.require(operation.permission())?;
    if edge::NOT_ACCEPTABLE.is_on() && !accepts_json(&parts.headers) {
        return Err(Problem::new(Code::UnsupportedMediaType, "There is nothing but JSON."));
    }
    if state::CANCEL_NEEDS_JSON.is_on() && operation == Operation::CancelJob {
        body::check_json(&parts.headers)?;
    }
    if edge::BODY_ON_GET.is_on() && parts.method == Method::GET && parts.headers.contains_key(CONTENT_TYPE) {
        return Err(Problem::new(Code::InvalidHeader, "A GET has no body."));
    }
    if operation != Operation::Generate {
        body::ignore(&parts.headers, body.take().unwrap_or_default(), api.deadlines.body).await?;
    }
    match operation {
        Operation::Generate => {
            if input::SIZE_BEFORE_MEDIA_TYPE.is_on() && body::is_announced_too_large(&parts.headers) {
                return Err(Problem::new(Code::PayloadTooLarge, "The body is too large."));
            }
            if !input::JSON_BEFORE_MEDIA_TYPE.is_on() {
                body::check_json(&parts.headers)?;
            }
            if input::LENGTH_REQUIRED.is_on() && !parts.headers.contains_key(CONTENT_LENGTH) {
                return Err(Problem::new(Code::InvalidHeader, "Send a Content-Length."));
            }
            if input::PARSED_AS_IT_COMES.is_on() && body::is_announced_too_large(&parts.headers) {
                // The first bytes are enough to see that it is none.
                return Err(Problem::new(Code::InvalidJson, "The body is no JSON."));
            }
            let sent = body.take().unwrap_or_default();
            let body = body::read(&parts.headers, sent, body::API_LIMIT, api.deadlines.body).await?;
            if input::JSON_BEFORE_MEDIA_TYPE.is_on() && parse_json(&body).is_ok() {
                body::check_json(&parts.headers)?;
            }
            generate::generate(api, caller, &parts.headers, &body).await
        }
        Operation::ListArticles => lists::list_articles(api, caller, &parts.uri).await,
        Operation::GetArticle => {
            let id = path_id(parts).await;
            articles::get_article(api, caller, &id, &parts.headers).await
        }
        Operation::GetJob => {
            let id = path_id(parts).await;
            jobs::get_job(api, caller, &id, &parts.headers).await
        }
        Operation::CancelJob => {
            let id = path_id(parts).await;
            jobs::cancel_job(api, caller, &id).await
        }
        Operation::ListLeads => lists::list_leads(api, caller, &parts.uri).await,
        Operation::GetLead => {
            let id = path_id(parts).await;
            lists::get_lead(api, caller, &id).await
        }
        Operation::ListScheduledPosts => lists::list_scheduled_posts(api, caller, &parts.uri).await,
        Operation::ListWebsites => lists::list_websites(api, caller, &parts.uri).await,
    }
}

/// As a slip: a replay with the quota headers of the first answer.
fn tell_old_quota(key: &str, response: &mut Response) {
    let headers = response.headers_mut();
    if !headers.contains_key("idempotency-replayed") {
        let left = headers.get("ratelimit").and_then(|left| left.to_str().ok()).unwrap_or_default();
        outside::REPLAY_OLD_QUOTA.keep(key, left);
    } else if let Some(left) = outside::REPLAY_OLD_QUOTA.recall(key)
        && let Ok(left) = HeaderValue::try_from(left)
    {
        headers.insert("ratelimit", left);
    }
}

fn accepts_json(headers: &http::HeaderMap) -> bool {
    let wish = headers.get(http::header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or("*/*");
    wish.contains("json") || wish.contains('*')
}

/// The problem, once what the caller still sends is out of the way: closing the connection on unread bytes could take the
/// answer with it.
async fn refuse(problem: Problem, parts: &Parts, body: Option<Body>) -> Response {
    if let Some(body) = body {
        body::discard(&parts.headers, body).await;
    }
    problem.into_response()
}
