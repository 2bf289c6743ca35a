//! How large the block of headers may be.

use futures::future::FutureExt;
use serde_json::json;

use super::super::fault::{Fault, fault};
use super::super::refusals;
use crate::edge::Exchange;
use crate::message::{Request, Response};

/// The largest block of headers that the document allows, in bytes.
const LARGEST: usize = 16 * 1024;
/// Headers that make a difference to an operation; the others can be left out.
const OF_THE_DOCUMENT: [&str; 8] = [
    "accept",
    "authorization",
    "content-length",
    "content-type",
    "idempotency-key",
    "if-none-match",
    "origin",
    "prefer",
];

pub(super) const FAULTS: &[Fault] = &[
    fault("http.headers-8k", "The header block may have 8 KiB.", &["http.raw.headers-within"])
        .exchange(|exchange| headers_8k(exchange).boxed()),
    fault("http.headers-32k", "The header block may have 32 KiB.", &["http.raw.headers-within"]).request(
        |request, _| {
            if size(request) <= LARGEST * 2 {
                lighten(request);
            }
        },
    ),
    fault("http.headers-unlimited", "Headers have no limit.", &["http.raw.headers-too-large"])
        .request(|request, _| lighten(request)),
    fault("http.headers-are-400", "Headers that are too large are answered 400.", &["http.raw.headers-too-large"])
        .response(|response, _, _| {
            if response.status == 431 {
                response.status = 400;
                response.edit(|problem| problem["status"] = json!(400));
            }
        }),
];

/// Bytes of the request line and the headers, about.
fn size(request: &Request) -> usize {
    let line = request.path.len() + request.query.as_ref().map_or(0, String::len);
    request.headers.iter().fold(line, |size, (name, value)| size + name.as_str().len() + value.len() + 4)
}

/// Leaves out what makes a block too large.
fn lighten(request: &mut Request) {
    if size(request) > LARGEST {
        let others: Vec<_> =
            request.headers.keys().filter(|name| !OF_THE_DOCUMENT.contains(&name.as_str())).cloned().collect();
        for name in others {
            request.headers.remove(name);
        }
    }
}

async fn headers_8k(exchange: Exchange) -> Response {
    if size(&exchange.request) <= LARGEST / 2 {
        return exchange.forward().await;
    }
    refusals::refuse(&exchange, 431, "headers_too_large", "Headers too large").await
}
