//! Faults in the limit on the header block.

use futures::future::FutureExt;
use serde_json::json;

use super::super::fault::{Fault, fault};
use super::super::refusals;
use crate::edge::Exchange;
use crate::message::{Request, Response};

/// Maximum size of the header block in the document, in bytes.
const LARGEST: usize = 16 * 1024;
/// Headers that an operation uses. The others can be dropped.
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
    fault("http.headers-8k", "The server limits headers to 8 KiB.", &["http.raw.headers-within"])
        .exchange(|exchange| headers_8k(exchange).boxed()),
    fault("http.headers-32k", "The server limits headers to 32 KiB.", &["http.raw.headers-within"]).request(
        |request, _| {
            if size(request) <= LARGEST * 2 {
                lighten(request);
            }
        },
    ),
    fault("http.headers-unlimited", "The server sets no limit on headers.", &["http.raw.headers-within"])
        .request(|request, _| lighten(request)),
    fault("http.headers-are-400", "Headers that are too large get 400.", &["http.raw.headers-within"]).response(
        |response, _, _| {
            if response.status == 431 {
                response.status = 400;
                response.edit(|problem| problem["status"] = json!(400));
            }
        },
    ),
];

/// Returns the approximate size of the request line and the headers, in bytes.
fn size(request: &Request) -> usize {
    let line = request.path.len() + request.query.as_ref().map_or(0, String::len);
    request.headers.iter().fold(line, |size, (name, value)| size + name.as_str().len() + value.len() + 4)
}

/// Drops headers that make a block too large.
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
