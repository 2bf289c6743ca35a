//! Every answer tells the quota.

use crate::check::{Credential, Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, finding};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "http.quota.announced",
            "Every answer to a valid key has RateLimit-Policy and RateLimit.",
            "draft-ietf-httpapi-ratelimit-headers-11",
            call_each_operation,
        )
        .observing(quota),
    ]
}

fn quota(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    exchange.request.operation?;
    // Refusals before the rate check may come without.
    let charged = exchange.request.credential == Credential::Main
        && !matches!(exchange.status, 400 | 401 | 403 | 405 | 408 | 413 | 415 | 431);
    let announced = exchange.header("ratelimit-policy").is_some() && exchange.header("ratelimit").is_some();
    if !charged {
        return None;
    }
    finding(announced, "RateLimit-Policy and RateLimit", exchange)
}
