//! Responses with wrong framing. Most clients repair it, each in its own way.

use super::super::fault::{Fault, fault};
use crate::edge::{ConnectionForm, Written};
use crate::message::Operation;

const FRAMED: &[&str] = &["http.framing.length"];
const BODILESS: &[&str] = &["http.framing.bodiless"];

pub(super) const FAULTS: &[Fault] = &[
    fault("transport.head-with-body", "HEAD gets the body of GET.", BODILESS).connection(rewriting(|written| {
        if written.method == "HEAD" && written.status == 200 {
            let length = written.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(2);
            written.bytes.extend(std::iter::repeat_n(b' ', length));
        }
    })),
    fault("transport.304-with-body", "A 304 has a body.", BODILESS).connection(rewriting(|written| {
        if written.status == 304 {
            written.bytes.extend_from_slice(b"{\"status\":304}");
        }
    })),
    fault("transport.longer-than-announced", "A body continues after the announced length.", FRAMED).connection(
        rewriting(|written| {
            if written.status == 200 && written.method == "GET" {
                written.bytes.extend_from_slice(b"\r\n\r\n");
            }
        }),
    ),
    fault("transport.framed-twice", "Refusals have both a Content-Length and chunks.", FRAMED).connection(rewriting(
        |written| {
            if written.status >= 400 && written.method == "GET" {
                written.chunk();
            }
        },
    )),
    fault("transport.type-twice", "The list of websites has two media types.", &["answers.headers.once"]).response(
        |response, request, _| {
            if request.is(Operation::ListWebsites) && response.is_success() {
                response.append("content-type", "text/html");
            }
        },
    ),
    fault("transport.request-id-twice", "A proxy adds its own request id.", &["answers.headers.once"]).response(
        |response, _, _| {
            if let Some(id) = response.header("x-request-id").map(|id| format!("{id}-edge")) {
                response.append("x-request-id", &id);
            }
        },
    ),
];

const fn rewriting(rewrite: fn(&mut Written)) -> ConnectionForm {
    ConnectionForm { title_case: false, closes: false, rewrite: Some(rewrite) }
}
