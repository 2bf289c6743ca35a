//! Refusals that a correct server would not give, in the form of the document.

use crate::edge::Exchange;
use crate::message::{Request, Response};

/// Another refusal in the place of one, without what belonged to that one alone.
pub(super) fn in_place_of(refusal: &Response, status: u16, code: &str, title: &str) -> Response {
    let mut response = Response::problem(refusal, status, code, title);
    for name in ["allow", "retry-after", "www-authenticate"] {
        response.remove(name);
    }
    response
}

/// The refusal of a request that the server behind does not get to see.
pub(super) async fn refuse(exchange: &Exchange, status: u16, code: &str, title: &str) -> Response {
    let nothing = exchange.send(Request::get("/api/v1/nothing")).await;
    in_place_of(&nothing, status, code, title)
}
