//! Headers that have one value stand in an answer once.

use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, is_api};

/// Headers that are no lists.
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
        Requirement::must(
            "answers.headers.once",
            "A header that is no list stands in an answer once: of two lines, each reader takes another one.",
            "RFC 9110, section 5.3",
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
