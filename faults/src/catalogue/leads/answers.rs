//! Faults in responses to a form: page or JSON, and the order of the checks.

use futures::future::FutureExt;
use http::Method;
use serde_json::json;

use super::super::fault::{Fault, fault};
use super::super::refusals::in_place_of;
use super::encodings::has_other_media_type;
use super::form;
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

const PAGE: &[&str] = &["capture.answer.page"];
const ORDER: &[&str] = &["capture.order.checks"];

pub(super) const FAULTS: &[Fault] = &[
    fault("leads.never-a-page", "A browser that submits a form gets JSON.", PAGE).request(|request, _| {
        if is_form(request) {
            request.remove("accept");
        }
    }),
    fault("leads.errors-never-a-page", "A browser whose form is refused gets JSON.", PAGE).response(
        |response, request, _| {
            if is_form(request) && response.status == 422 && wants_page(request) {
                response.set_body("application/problem+json", json!({ "code": "validation_failed" }).to_string());
            }
        },
    ),
    fault("leads.always-a-page", "A program that submits a form gets an HTML page.", PAGE).request(|request, _| {
        if is_form(request) {
            request.set("accept", "text/html");
        }
    }),
    fault(
        "leads.taken-unsaid",
        "The response to a form lacks the field that says it is accepted.",
        &["answers.capture-lead.schema"],
    )
    .response(|response, request, _| {
        if request.is(Operation::CaptureLead) && response.status == 202 {
            response.edit(|body| *body = json!({}));
        }
    }),
    fault("leads.get-unknown", "GET of a form gets 404.", &["capture.answer.method"]).response(
        |response, request, _| {
            if is_form(request) && request.method == Method::GET && response.status == 405 {
                *response = in_place_of(response, 404, "route_not_found", "Route not found");
            }
        },
    ),
    fault(
        "leads.strict",
        "Prefer: handling=strict refuses unknown fields of a form.",
        &["capture.answer.headers-without-effect"],
    )
    .request(|request, _| {
        let is_strict = request.header("prefer").is_some_and(|prefer| prefer.contains("handling=strict"));
        form::edit_json(request, |body| {
            if is_strict && body.get("nobody_knows").is_some() {
                body["email"] = json!(7);
            }
        });
    }),
    fault(
        "leads.idempotency-key",
        "A different form with the same Idempotency-Key creates no lead.",
        &["capture.answer.headers-without-effect"],
    )
    .request(|request, memory| {
        let key = request.header("idempotency-key").map(|key| format!("form with {key}"));
        if let Some(key) = key.filter(|_| request.is(Operation::CaptureLead))
            && memory.put(&key, true).is_some()
        {
            form::leave_nothing(request);
        }
    }),
    fault("leads.media-type-before-website", "The server checks the media type of a form before its website.", ORDER)
        .response(|response, request, _| {
            if is_form(request) && response.status == 404 && has_other_media_type(request) {
                *response = in_place_of(response, 415, "unsupported_media_type", "Unsupported media type");
            }
        }),
    fault("leads.json-before-size", "The server checks the JSON of a form before its size.", ORDER).response(
        |response, request, _| {
            if is_form(request) && response.status == 413 && request.json().is_none() {
                *response = in_place_of(response, 400, "invalid_json", "Invalid JSON");
            }
        },
    ),
    fault(
        "leads.paused-told-last",
        "The server checks a form before it refuses a paused website.",
        &["capture.order.inactive-website"],
    )
    .response(|response, request, _| {
        let is_paused = is_form(request) && response.code().as_deref() == Some("website_inactive");
        if is_paused && has_other_media_type(request) {
            *response = in_place_of(response, 415, "unsupported_media_type", "Unsupported media type");
        }
    }),
    fault(
        "leads.preflight-without-methods",
        "The response to a browser's preflight request lists no methods.",
        &["capture.origin.own"],
    )
    .response(|response, _, _| response.remove("access-control-allow-methods")),
    fault("leads.trap-dropped", "A form with a filled trap creates no lead.", &["capture.trap.marked"]).request(
        |request, _| {
            if form::is_trapped(request) {
                form::leave_nothing(request);
            }
        },
    ),
    fault(
        "leads.trap-unexplained",
        "A lead with a filled trap is suspected spam without a reason.",
        &["capture.trap.marked"],
    )
    .response(|response, request, _| {
        super::shown::edit_leads(response, request, |lead| {
            if let Some(reasons) = lead["spam"]["reasons"].as_array_mut() {
                reasons.retain(|reason| reason != "trap_filled");
            }
        });
    }),
    fault(
        "leads.empty-email-ignored",
        "The server treats an empty email in JSON as absent.",
        &["capture.contact.empty"],
    )
    .exchange(|exchange| empty_ignored(exchange).boxed()),
];

/// Returns true if the request is to a lead form, whatever its method.
fn is_form(request: &Request) -> bool {
    request.path.starts_with("/capture/") && !request.path.contains("/confirmations/")
}

fn wants_page(request: &Request) -> bool {
    request.header("accept").is_some_and(|accept| accept.contains("text/html"))
}

async fn empty_ignored(exchange: Exchange) -> Response {
    let mut sent = exchange.request.clone();
    form::edit_json(&mut sent, |body| {
        if let Some(fields) = body.as_object_mut() {
            fields.retain(|name, value| !(matches!(name.as_str(), "email" | "phone") && value == ""));
        }
    });
    exchange.send(sent).await
}
