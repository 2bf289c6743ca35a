//! What every operation of the public API goes through, in the contract's order: credentials, rate, scope, media type and
//! size, then the operation. Route and method came before; what follows is the operation's own file.

use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::request::Parts;

use super::body;
use super::credentials;
use super::problem::{Code, Problem};
use super::route::{Api, path_id};
use super::{articles, generate, jobs, lists};
use crate::app::{Caller, Operation, parse_json};
use crate::domain::fault::table::{auth, http as edge, input, limits, state};

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
        Err(problem) => return refuse(problem, &parts, body).await,
    };
    let charge = api.quotas.charge(&caller, operation.policy(), api.app.clock().now());
    let answer = match charge.check() {
        Ok(()) => answer(api, operation, &caller, &mut parts, &mut body).await,
        Err(problem) => {
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
    caller.require(operation.permission())?;
    if edge::NOT_ACCEPTABLE.is_on() && !accepts_json(&parts.headers) {
        return Err(Problem::new(Code::UnsupportedMediaType, "There is nothing but JSON."));
    }
    if state::CANCEL_NEEDS_JSON.is_on() && operation == Operation::CancelJob {
        body::check_json(&parts.headers)?;
    }
    if edge::BODY_ON_GET.is_on() && parts.method == http::Method::GET && parts.headers.contains_key(CONTENT_TYPE) {
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
