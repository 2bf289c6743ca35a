//! Every response to a key announces the quota, and none of the lead form does.

use crate::check::Source::Sentence;
use crate::check::{Credential, Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, finding, is_refused_before_routing};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "http.quota.announced",
            "Every response to a valid key has RateLimit-Policy and RateLimit, unless a check before the rate fails or the service fails. Responses of the lead form have neither.",
            &[
                Sentence("`RateLimit-Policy` and `RateLimit` announce the quotas."),
                Sentence(
                    "Every response to a valid key has both, unless a check before the rate fails or the service fails.",
                ),
                Sentence("It announces no quota."),
            ],
            call_each_operation,
        )
        .observing(quota),
    ]
}

fn quota(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let operation = document.operation(exchange.request.operation?)?;
    let announced = ["ratelimit-policy", "ratelimit"].map(|name| exchange.header(name).is_some());
    if !operation.needs_key && announced.contains(&true) {
        return finding(false, "neither RateLimit-Policy nor RateLimit", exchange);
    }
    // These errors may be found before the rate check, some of them by an HTTP library. A service that fails may count nothing.
    let is_early = matches!(exchange.status, 401 | 405 | 408 | 413 | 414 | 431 | 500..)
        || exchange.code() == Some("route_not_found")
        || is_refused_before_routing(exchange);
    let is_charged = operation.needs_key && exchange.request.credential == Credential::Main && !is_early;
    is_charged.then_some(())?;
    finding(announced == [true, true], "RateLimit-Policy and RateLimit", exchange)
}
