//! Headers with a single value occur at most once in a response.

use crate::check::Source::Standard;
use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, is_api};

/// Headers that are not lists.
const SINGLE: [&str; 10] = [
    "content-length",
    "content-location",
    "content-type",
    "date",
    "etag",
    "idempotency-replayed",
    "last-modified",
    "location",
    "retry-after",
    "x-request-id",
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "answers.headers.once",
            "A header that is not a list occurs at most once in a response: readers of two lines disagree on the value.",
            &[Standard("RFC 9110", "5.3")],
            call_each_operation,
        )
        .observing(once),
    ]
}

fn once(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    if !is_api(exchange) {
        return None;
    }
    let doubled = SINGLE.iter().find(|name| exchange.headers.get_all(**name).iter().count() > 1);
    Some(match doubled {
        None => Ok(()),
        Some(name) => {
            let values: Vec<_> = exchange.headers.get_all(*name).iter().map(|value| format!("{value:?}")).collect();
            Err(Finding::new(format!("one {name}"), format!("{} in {}", values.join(" and "), exchange.line())))
        }
    })
}
