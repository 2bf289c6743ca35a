//! Faults in checking the origin of a form.

use super::super::fault::{Fault, fault};
use crate::message::{Request, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault("leads.any-origin", "The server accepts the form from every origin.", &["capture.origin.foreign"])
        .response(|response, request, _| any_origin(response, request)),
    fault(
        "leads.no-origin",
        "The server refuses the form even from the website's own origin.",
        &["capture.origin.own"],
    )
    .response(|response, request, _| {
        if is_capture(request) {
            response.remove("access-control-allow-origin");
        }
    }),
    fault(
        "leads.www-foreign",
        "The server allows the form from the origin of the website's url alone.",
        &["capture.origin.www"],
    )
    .response(|response, request, _| {
        let is_www = request.header("origin").is_some_and(|origin| origin.contains("://www."));
        if is_capture(request) && is_www {
            response.remove("access-control-allow-origin");
        }
    }),
    fault(
        "leads.subdomains-own",
        "The server allows the form from every subdomain of the website.",
        &["capture.origin.www"],
    )
    .response(|response, request, _| {
        if request.header("origin").is_some_and(|origin| origin.contains("://shop.")) {
            any_origin(response, request);
        }
    }),
];

/// Returns true if the request is a form or its preflight request.
fn is_capture(request: &Request) -> bool {
    request.path.starts_with("/capture/")
}

fn any_origin(response: &mut Response, request: &Request) {
    let Some(origin) = request.header("origin").filter(|_| is_capture(request)) else { return };
    response.set("access-control-allow-origin", origin);
    if request.header("access-control-request-method").is_some() {
        response.set("access-control-allow-methods", "POST");
        response.set("access-control-allow-headers", "content-type");
    }
}
