//! Builds refusals that a correct server would not send, in the document's form.

use crate::edge::Exchange;
use crate::message::{Request, Response};

/// Replaces a refusal with another one, without what belonged only to the first.
pub(super) fn in_place_of(refusal: &Response, status: u16, code: &str, title: &str) -> Response {
    let mut response = Response::problem(refusal, status, code, title);
    for name in ["allow", "retry-after", "www-authenticate"] {
        response.remove(name);
    }
    response
}

/// Refuses a request that the server does not get.
pub(super) async fn refuse(exchange: &Exchange, status: u16, code: &str, title: &str) -> Response {
    let nothing = exchange.send(Request::get("/api/v1/nothing")).await;
    in_place_of(&nothing, status, code, title)
}
