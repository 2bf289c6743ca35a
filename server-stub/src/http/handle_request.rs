//! Handles an operation of the public API, in the contract's order: checks credentials, rate, scope, media type and size, then
//! runs the operation.

use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use http::request::Parts;

use super::body;
use super::credentials;
use super::problem::Problem;
use super::route::{Api, path_id};
use super::{articles, generate, jobs, lists};
use crate::app::{Caller, Operation};

/// Returns the response to a request to `operation`.
pub(super) async fn handle_request(api: &Api, operation: Operation, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let mut body = Some(body);
    let caller = match credentials::caller(&api.app, &parts.headers).await {
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

async fn run_operation(
    api: &Api,
    operation: Operation,
    caller: &Caller,
    parts: &mut Parts,
    body: &mut Option<Body>,
) -> Result<Response, Problem> {
    caller.require(operation.permission())?;
    if operation != Operation::Generate {
        body::ignore(&parts.headers, body.take().unwrap_or_default(), api.deadlines.body).await?;
    }
    match operation {
        Operation::Generate => {
            body::check_json(&parts.headers)?;
            let sent = body.take().unwrap_or_default();
            let body = body::read(&parts.headers, sent, body::MAX_API_BODY_BYTES, api.deadlines.body).await?;
            generate::generate(api, caller, &parts.headers, body).await
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
        Operation::GetScheduledPost => {
            let id = path_id(parts).await;
            lists::get_scheduled_post(api, caller, &id).await
        }
        Operation::ListWebsites => lists::list_websites(api, caller, &parts.uri).await,
    }
}

/// Returns the problem as a response, after reading the rest of the body. Closing the connection on unread bytes could lose the
/// response.
async fn refuse(problem: Problem, parts: &Parts, body: Option<Body>) -> Response {
    if let Some(body) = body {
        body::discard(&parts.headers, body).await;
    }
    problem.into_response()
}
