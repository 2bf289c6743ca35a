//! Requests that a correct server, or its HTTP library, may refuse or accept.

use futures::future::FutureExt;
use http::Method;

use super::super::fault::{Fault, Profile, variant};
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

/// Methods that every HTTP library supports.
const KNOWN: [Method; 9] = [
    Method::GET,
    Method::HEAD,
    Method::POST,
    Method::PUT,
    Method::PATCH,
    Method::DELETE,
    Method::OPTIONS,
    Method::TRACE,
    Method::CONNECT,
];

/// Parts of paths that a library may refuse, in lower case.
const SUSPICIOUS: [&str; 3] = ["%2f", "%5c", ";"];

/// Maximum size of the body of a GET.
const MAX_BODY: usize = 64 * 1024;

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.path-refused",
        "A path with NUL or without UTF-8 gets an empty 400: HTTP libraries may refuse before routing (RFC 3986 7.3).",
        Profile::Full,
    )
    .exchange(|exchange| unless(exchange, is_no_text, 400).boxed()),
    variant(
        "benign.path-firewall",
        "A path with an encoded slash or a semicolon gets an empty 400: HTTP libraries may refuse before routing.",
        Profile::Full,
    )
    .exchange(|exchange| unless(exchange, is_suspicious, 400).boxed()),
    variant(
        "benign.unknown-method-501",
        "An unknown method gets an empty 501, as RFC 9110 9.1 recommends.",
        Profile::Full,
    )
    .exchange(|exchange| unless(exchange, is_unknown_method, 501).boxed()),
    variant(
        "benign.unknown-method-400",
        "An unknown method gets an empty 400: HTTP libraries may refuse before routing, as Node.js does.",
        Profile::Full,
    )
    .exchange(|exchange| unless(exchange, is_unknown_method, 400).boxed()),
    variant(
        "benign.get-body-refused",
        "GET with a body gets an empty 400: RFC 9110 9.3.1 says that implementations may reject it.",
        Profile::Full,
    )
    .exchange(|exchange| unless(exchange, is_get_with_body, 400).boxed()),
    variant(
        "benign.repeated-parameter",
        "The server uses the first value of a repeated parameter: the document only says that it should be refused.",
        Profile::Full,
    )
    .request(|request, _| keep_first(request)),
    variant(
        "benign.headers-empty-431",
        "A 431 has no body and none of the document's headers, as a refusal before routing may.",
        Profile::Full,
    )
    .response(|response, _, _| {
        if response.status == 431 {
            *response = Response { closes: true, ..Response::new(431, "") };
        }
    }),
];

/// Refuses like an HTTP library: an empty body, none of the document's headers, and a closed connection.
async fn unless(exchange: Exchange, is_refused: fn(&Request) -> bool, status: u16) -> Response {
    if is_refused(&exchange.request) {
        return Response { closes: true, ..Response::new(status, "") };
    }
    exchange.forward().await
}

fn is_no_text(request: &Request) -> bool {
    let path = decoded(&request.path);
    path.contains(&0) || std::str::from_utf8(&path).is_err()
}

fn is_suspicious(request: &Request) -> bool {
    let path = request.path.to_ascii_lowercase();
    SUSPICIOUS.iter().any(|part| path.contains(part))
}

fn is_unknown_method(request: &Request) -> bool {
    !KNOWN.contains(&request.method)
}

/// The server must refuse a larger body.
fn is_get_with_body(request: &Request) -> bool {
    let is_read = matches!(request.method, Method::GET | Method::HEAD);
    is_read && (1..=MAX_BODY).contains(&request.body.len())
}

fn keep_first(request: &mut Request) {
    let mut kept: Vec<(String, String)> = Vec::new();
    let all = request.parameters();
    let count = all.len();
    for (name, value) in all {
        if kept.iter().all(|(known, _)| *known != name) {
            kept.push((name, value));
        }
    }
    if kept.len() < count && request.operation().is_some_and(Operation::is_list) {
        request.set_parameters(&kept);
    }
}

/// Percent-decodes the bytes of a path.
fn decoded(path: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, behind @ ..] = rest {
        let digits = behind.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        if let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            bytes.push(byte);
            rest = &behind[2..];
        } else {
            bytes.push(*first);
            rest = behind;
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::{decoded, is_no_text};
    use crate::message::Request;

    #[test]
    fn paths_without_text_are_told() {
        assert_eq!(decoded("/a%C3%a9%2Fb%4"), "/a\u{e9}/b%4".as_bytes());
        assert!(is_no_text(&Request::get("/api/v1/jobs/%00")));
        assert!(is_no_text(&Request::get("/api/v1/jobs/%ff")));
        assert!(!is_no_text(&Request::get("/api/v1/jobs/a%20%C3%A9")));
    }
}
