//! Faults in matching paths.

use futures::future::FutureExt;
use serde_json::json;

use super::super::fault::{Fault, fault};
use crate::edge::Exchange;
use crate::message::{Request, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault("http.trailing-slash", "The server ignores a slash at the end of a path.", &["http.route.unknown"]).request(
        |request, _| {
            let path = request.path.trim_end_matches('/');
            if !path.is_empty() {
                request.path = path.to_owned();
            }
        },
    ),
    fault("http.path-without-case", "The server matches paths without regard to case.", &["http.route.unknown"])
        .request(|request, _| {
            let original = request.path.clone();
            request.path.make_ascii_lowercase();
            // An id keeps its case, because it is not a fixed part of the path.
            if let Some(id) = request.id_range() {
                request.path.replace_range(id.clone(), &original[id]);
            }
        }),
    fault("http.any-version", "The server accepts every version in the path.", &["http.route.unknown"]).request(
        |request, _| {
            let mut words: Vec<&str> = request.path.split('/').collect();
            if let [_, "api", version, ..] = &mut words[..]
                && version.strip_prefix('v').is_some_and(|number| number.parse::<u32>().is_ok())
            {
                *version = "v1";
                request.path = words.join("/");
            }
        },
    ),
    fault("http.unknown-is-html", "An unknown path gets an HTML page.", &["http.route.unknown"]).response(
        |response, _, _| {
            if response.code().is_some_and(|code| code == "route_not_found") {
                response.set_body("text/html; charset=utf-8", "<!doctype html><title>404</title><h1>Not Found</h1>");
            }
        },
    ),
    fault("http.key-before-route", "The server checks the key before the path.", &["http.order.route-first"])
        .exchange(|exchange| key_before_route(exchange).boxed()),
    fault("http.unknown-is-410", "An unknown job gets 410.", &["http.status.documented", "jobs.unknown.not-found"])
        .response(|response, _, _| {
            if response.code().is_some_and(|code| code == "job_not_found") {
                response.status = 410;
                response.edit(|problem| problem["status"] = json!(410));
            }
        }),
];

async fn key_before_route(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    let request = &exchange.request;
    let is_known = request.key().is_some_and(|key| exchange.memory.world.keys().iter().any(|known| known == key));
    if request.operation().is_some() || is_known || !matches!(response.status, 404 | 405) {
        return response;
    }
    let mut keyed = Request::get("/api/v1/websites");
    keyed.headers = request.headers.clone();
    keyed.remove("content-length");
    let mut refusal = exchange.send(keyed).await;
    if refusal.status != 401 {
        return response;
    }
    refusal.edit(|problem| problem["instance"] = json!(request.public_path()));
    refusal
}
