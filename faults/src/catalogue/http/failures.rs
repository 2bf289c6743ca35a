//! Requests that crash the server or slow it down.

use std::time::Duration;

use futures::future::FutureExt;

use super::super::fault::{Fault, fault};
use super::super::refusals;
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

/// Maximum length of a stored id, the same as in the document.
const COLUMN: usize = 128;

pub(super) const FAULTS: &[Fault] = &[
    fault("http.id-breaks", "An id that is not UTF-8 causes a 500.", &["jobs.unknown.not-found"])
        .exchange(|exchange| fail_if(exchange, |request| request.id().is_some_and(|id| is_no_utf8(&id))).boxed()),
    fault("http.long-id-breaks", "A long id causes a 500.", &["jobs.unknown.not-found", "articles.unknown.not-found"])
        .exchange(|exchange| {
            fail_if(exchange, |request| request.id().is_some_and(|id| id.chars().count() > COLUMN)).boxed()
        }),
    fault("http.emoji-breaks", "A topic beyond the basic plane causes a 500.", &["generate.valid.accepted"]).exchange(
        |exchange| fail_if(exchange, |request| topic(request).chars().any(|letter| u32::from(letter) > 0xFFFF)).boxed(),
    ),
    fault("http.quote-breaks", "An apostrophe in the topic causes a 500.", &["http.server-error.documented"])
        .exchange(|exchange| fail_if(exchange, |request| topic(request).contains('\'')).boxed()),
    fault("http.slow-queue", "POST /generate takes six seconds.", &["generate.documented.at-once"]).response(
        |response, request, _| {
            if request.is(Operation::Generate) && response.is_success() {
                response.delay = Duration::from_secs(6);
            }
        },
    ),
];

/// Responds with 500 to an unexpected request with a key.
async fn fail_if(exchange: Exchange, is_unexpected: fn(&Request) -> bool) -> Response {
    let key = exchange.request.key();
    let is_let_in = key.is_some_and(|key| exchange.memory.world.keys().iter().any(|known| known == key));
    if !is_let_in || !is_unexpected(&exchange.request) {
        return exchange.forward().await;
    }
    refusals::refuse(&exchange, 500, "internal_error", "Internal error").await
}

fn topic(request: &Request) -> String {
    let body = request.json().filter(|_| request.is(Operation::Generate));
    body.and_then(|body| Some(body.get("topic")?.as_str()?.to_owned())).unwrap_or_default()
}

/// Returns true if decoding replaced invalid bytes.
fn is_no_utf8(id: &str) -> bool {
    id.contains(char::REPLACEMENT_CHARACTER)
}
