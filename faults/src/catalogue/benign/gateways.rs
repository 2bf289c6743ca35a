//! Changes that gateways make to responses of a correct server.

use http::Method;
use serde_json::json;

use super::super::fault::{Fault, Profile, variant};
use super::super::state::records::is_read;
use super::body;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, encode};

/// Headers that a gateway sets.
const SET: [(&str, &str); 8] = [
    ("server", "edge/7.1"),
    ("age", "0"),
    ("alt-svc", "h3=\":443\"; ma=86400, h2=\":443\"; ma=86400"),
    ("server-timing", "edge;dur=1.5, origin;dur=3;desc=\"the service\""),
    ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
    ("x-upstream-service-time", "3"),
    ("nel", "{\"report_to\":\"default\",\"max_age\":3600}"),
    ("accept-ranges", "none"),
];

/// Values that a gateway adds to existing headers.
const ADDED: [(&str, &str); 5] = [
    ("via", "2 edge-7.example (Edge)"),
    ("vary", "Origin"),
    ("vary", "Accept-Encoding, Authorization"),
    ("set-cookie", "lb=7; Path=/; HttpOnly; Secure"),
    ("set-cookie", "seen=\"1\"; Max-Age=3600; SameSite=None"),
];

/// Headers whose lists a gateway may put on several lines.
const LISTS: [&str; 5] = ["allow", "cache-control", "vary", "ratelimit-policy", "ratelimit"];

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.gateway-headers",
        "A gateway adds Via, Server, Age, Alt-Svc, Vary, cookies and custom headers: RFC 9110 5.1 and 7.6 allow it.",
        Profile::Full,
    )
    .response(|response, _, _| {
        for (name, value) in SET {
            response.set(name, value);
        }
        for (name, value) in ADDED {
            response.append(name, value);
        }
    }),
    variant(
        "benign.lists-on-lines",
        "Each element of a list in a header has its own line: RFC 9110 5.3 declares both forms the same.",
        Profile::Full,
    )
    .response(|response, _, _| LISTS.iter().for_each(|name| put_on_lines(response, name))),
    variant(
        "benign.media-type-cased",
        "Media types are written Application/JSON: RFC 9110 8.3.1 compares them in any letter case.",
        Profile::Full,
    )
    .response(|response, _, _| {
        response.change("content-type", |value| match value.split_once("json") {
            Some(("application/", rest)) => format!("Application/JSON{rest}"),
            Some(("application/problem+", rest)) => format!("Application/Problem+JSON{rest}"),
            _ => value.to_owned(),
        });
    }),
    variant(
        "benign.head-computed",
        "HEAD has no Content-Length, Last-Modified and Link: RFC 9110 9.3.2 lets it omit what depends on the body.",
        Profile::Full,
    )
    .response(|response, request, _| {
        if request.method == Method::HEAD {
            for name in ["content-length", "last-modified", "link"] {
                response.remove(name);
            }
        }
    }),
    variant(
        "benign.no-last-modified",
        "An article has no Last-Modified: the document does not mark that header as required.",
        Profile::Full,
    )
    .response(|response, _, _| response.remove("last-modified")),
    variant(
        "benign.own-content-location",
        "Content-Location is also present under the article's own id: the document only says when it is always present.",
        Profile::Full,
    )
    .response(|response, request, _| {
        let id = response.text("/id").or_else(|| request.id());
        if let Some(id) = id.filter(|_| is_read(response, request, Operation::GetArticle))
            && response.header("content-location").is_none()
        {
            response.set("content-location", &format!("{}/api/v1/articles/{}", request.base_path, encode(&id)));
        }
    }),
    variant(
        "benign.request-ids-odd",
        "X-Request-Id has spaces, quotes and braces: the document only says that it is a text.",
        Profile::Full,
    )
    .response(odd_request_id),
];

fn put_on_lines(response: &mut Response, name: &str) {
    let Some(value) = response.header(name).map(ToOwned::to_owned) else { return };
    let (mut parts, mut is_quoted) = (vec![String::new()], false);
    for letter in value.chars() {
        is_quoted = if letter == '"' { !is_quoted } else { is_quoted };
        match parts.last_mut() {
            Some(part) if letter != ',' || is_quoted => part.push(letter),
            _ => parts.push(String::new()),
        }
    }
    if parts.len() > 1 {
        response.remove(name);
        for part in parts {
            response.append(name, part.trim());
        }
    }
}

/// Writes the same id in the header and in the body of a problem.
fn odd_request_id(response: &mut Response, _: &Request, _: &Memory) {
    let Some(id) = response.header("x-request-id").map(|id| format!("{{\"trace\": \"{id}\", \"at\": 7}}")) else {
        return;
    };
    response.set("x-request-id", &id);
    if !response.is_success() {
        body::edit(response, |problem| {
            if problem.get("request_id").is_some() {
                problem["request_id"] = json!(id);
            }
        });
    }
}
