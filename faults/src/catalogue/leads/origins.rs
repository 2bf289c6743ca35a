//! From whose pages a form may be sent.

use super::super::fault::{Fault, fault};
use crate::message::{Request, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault("leads.any-origin", "Every origin may send the form.", &["capture.origin.foreign"])
        .response(|response, request, _| any_origin(response, request)),
    fault("leads.no-origin", "Not even the website's own origin may send the form.", &["capture.origin.own"]).response(
        |response, request, _| {
            if is_capture(request) {
                response.remove("access-control-allow-origin");
            }
        },
    ),
];

/// Whether it is about a form, also the question of a browser before it.
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
