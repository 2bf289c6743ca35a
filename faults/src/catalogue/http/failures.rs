//! What makes the server fail, and what makes it slow.

use std::time::Duration;

use futures::future::FutureExt;

use super::super::fault::{Fault, fault};
use super::super::refusals;
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

/// The longest id that is stored: as long as the document lets any be.
const COLUMN: usize = 128;

pub(super) const FAULTS: &[Fault] = &[
    fault("http.id-breaks", "An id that is no UTF-8 makes the handler panic.", &["jobs.unknown.not-found"])
        .exchange(|exchange| fail_if(exchange, |request| request.id().is_some_and(|id| is_no_utf8(&id))).boxed()),
    fault(
        "http.long-id-breaks",
        "A long id is too long for a column.",
        &["jobs.unknown.not-found", "articles.unknown.not-found"],
    )
    .exchange(|exchange| {
        fail_if(exchange, |request| request.id().is_some_and(|id| id.chars().count() > COLUMN)).boxed()
    }),
    fault("http.emoji-breaks", "A topic beyond the basic plane breaks the database.", &["generate.valid.accepted"])
        .exchange(|exchange| {
            fail_if(exchange, |request| topic(request).chars().any(|letter| u32::from(letter) > 0xFFFF)).boxed()
        }),
    fault("http.quote-breaks", "An apostrophe in the topic breaks the statement.", &["http.server-error.documented"])
        .exchange(|exchange| fail_if(exchange, |request| topic(request).contains('\'')).boxed()),
    fault("http.slow-queue", "POST /generate takes six seconds.", &["generate.documented.at-once"]).response(
        |response, request, _| {
            if request.is(Operation::Generate) && response.is_success() {
                response.delay = Duration::from_secs(6);
            }
        },
    ),
];

/// Answers 500 to who has a key and sends something unexpected.
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

/// Whether decoding had to put something in the place of bytes that mean nothing.
fn is_no_utf8(id: &str) -> bool {
    id.contains(char::REPLACEMENT_CHARACTER)
}
