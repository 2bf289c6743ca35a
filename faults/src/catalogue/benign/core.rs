//! Servers that provide the documented facts and nothing else.

use http::Method;
use serde_json::{Value, json};

use super::super::fault::{Fault, Profile, variant};
use crate::message::{Operation, Request, Response};

pub(super) const FAULTS: &[Fault] = &[
    variant("benign.is-200", "POST /generate gets 200.", Profile::Core).response(|response, request, _| {
        if is_queued(request, response) {
            response.status = 200;
        }
    }),
    variant("benign.is-201", "POST /generate gets 201.", Profile::Core).response(|response, request, _| {
        if is_queued(request, response) {
            response.status = 201;
        }
    }),
    variant("benign.only-job-id", "The response to POST /generate contains only the job's id.", Profile::Core)
        .response(|response, request, _| {
            if is_queued(request, response) {
                response.edit(|job| *job = json!({ "job_id": job["job_id"] }));
            }
        }),
    variant("benign.errors-html", "Refusals are HTML pages.", Profile::Core).response(|response, _, _| {
        if response.status >= 400 {
            response.set_body("text/html", "<!doctype html><title>Sorry</title><h1>Sorry</h1>");
        }
    }),
    variant("benign.errors-empty", "Refusals have no body.", Profile::Core).response(|response, _, _| {
        if response.status >= 400 {
            response.body.clear();
            response.remove("content-type");
        }
    }),
    variant("benign.errors-400", "Every refusal is a 400.", Profile::Core).response(|response, _, _| {
        if response.status >= 400 {
            response.status = 400;
            response.set_body("text/plain", "bad request");
        }
    }),
    variant("benign.keys-403", "A missing and a wrong key get 403.", Profile::Core).response(|response, _, _| {
        if response.status == 401 {
            response.status = 403;
            response.set_body("application/json", r#"{"error":"forbidden"}"#);
        }
    }),
    variant("benign.documented-only", "The server has only the two documented operations.", Profile::Core)
        .response(documented_only),
    variant("benign.bare-article", "An article has only a title and a text, with other field names.", Profile::Core)
        .response(|response, request, _| {
            if request.is(Operation::GetArticle) && response.is_success() {
                response.edit(|article| *article = bare(article));
            }
        }),
];

fn is_queued(request: &Request, response: &Response) -> bool {
    request.is(Operation::Generate) && response.is_success()
}

fn documented_only(response: &mut Response, request: &Request, _: &crate::memory::Memory) {
    let is_documented = matches!(request.operation(), Some(Operation::Generate | Operation::GetArticle));
    if request.path.starts_with("/api/") && !(is_documented && request.method != Method::HEAD) {
        *response = Response::new(404, "404");
        response.set("content-type", "text/plain");
    }
}

fn bare(article: &Value) -> Value {
    json!({ "headline": article["title"], "text": article["content_markdown"] })
}
