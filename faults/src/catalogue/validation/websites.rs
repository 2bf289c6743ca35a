//! Faults in checking the website of a request.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::echo;
use super::super::fault::{Fault, fault};
use super::super::paging::pages::all_rows;
use super::schema::{breaks_schema, tidy};
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response, remove_member};

const UNKNOWN: &[&str] = &["generate.website.unknown"];
const PAUSED: &[&str] = &["generate.website.inactive"];

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "validation.website-first",
        "The server looks up the website before it checks the schema.",
        &["generate.order.website-last"],
    )
    .exchange(|exchange| website_first(exchange).boxed()),
    fault("validation.website-paused-taken", "The server accepts generation requests for a paused website.", PAUSED)
        .exchange(|exchange| paused_taken(exchange).boxed())
        .response(echo::show),
    fault("validation.website-paused-unknown", "A paused website gets the response of an unknown one.", PAUSED)
        .response(|response, request, _| {
            if is_refused(request, response, "website_inactive") {
                *response = not_found(response);
            }
        }),
    fault("validation.website-is-404", "An unknown website in a body gets 404.", UNKNOWN).response(
        |response, request, _| {
            if is_refused(request, response, "website_not_found") {
                *response = Response::problem(response, 404, "route_not_found", "Route not found");
            }
        },
    ),
    fault("validation.website-without-pointer", "The problem of an unknown website does not name the field.", UNKNOWN)
        .response(|response, request, _| {
            if is_refused(request, response, "website_not_found") {
                response.edit(|problem| drop(remove_member(problem, "errors")));
            }
        }),
    fault("validation.website-default", "The server replaces an unknown website with the caller's first one.", UNKNOWN)
        .exchange(|exchange| website_default(exchange).boxed()),
];

async fn website_first(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    let body = exchange.request.json().unwrap_or_default();
    let Some(id) = body.get("website_id").and_then(Value::as_str) else { return response };
    if !breaks_schema(&exchange.request, &response) {
        return response;
    }
    match websites(&exchange).await {
        Some(websites) if websites.iter().all(|website| website["website_id"] != id) => not_found(&response),
        _ => response,
    }
}

async fn paused_taken(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    match active_website(&exchange, &response, "website_inactive").await {
        Some(id) => echo::generate_as(&exchange, &["website_id"], |body| body["website_id"] = json!(id)).await,
        None => response,
    }
}

async fn website_default(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    let Some(id) = active_website(&exchange, &response, "website_not_found").await else { return response };
    let mut request = exchange.request.clone();
    tidy(&mut request, |members| drop(members.insert("website_id".to_owned(), json!(id))));
    exchange.send(request).await
}

/// Returns an active website of the caller instead of one that was refused with `code`.
pub(in crate::catalogue) async fn active_website(
    exchange: &Exchange,
    response: &Response,
    code: &str,
) -> Option<String> {
    if !is_refused(&exchange.request, response, code) {
        return None;
    }
    let websites = websites(exchange).await?;
    let active = websites.iter().find(|website| website["status"] == "active")?;
    active["website_id"].as_str().map(ToOwned::to_owned)
}

/// Returns the websites that the caller sees.
async fn websites(exchange: &Exchange) -> Option<Vec<Value>> {
    all_rows(exchange, "/api/v1/websites", exchange.request.key()?, &[]).await
}

fn is_refused(request: &Request, response: &Response, code: &str) -> bool {
    request.is(Operation::Generate) && response.code().as_deref() == Some(code)
}

fn not_found(template: &Response) -> Response {
    let mut response = Response::problem(template, 422, "website_not_found", "Website not found");
    let error = json!({ "detail": "there is no such website", "code": "not_found", "pointer": "#/website_id" });
    response.edit(|problem| problem["errors"] = json!([error]));
    response
}
