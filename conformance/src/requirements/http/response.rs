//! Rules for every response: a documented status, no failure of the service, a request id and the rest of the quota.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::check::Source::{Fact, Part, Sentence};
use crate::check::{
    About as _, Context, Credential, Exchange, Facts, Finding, Request, Requirement, Source, Verdict, demand, ensure,
};
use crate::spec::Document;
use crate::steps;
use crate::steps::observing::{call_each_operation, finding, is_api, is_refused_before_routing};

/// Number of rounds.
const ROUNDS: usize = 2;

/// Number of concurrent requests in a round.
const AT_ONCE: usize = 16;

const GATEWAY: Source = Sentence(
    "The same holds if a gateway before the service responds 502, 503 or 504, 414 to a long address, or 431 to large headers.",
);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "http.status.documented",
            "Every status of an operation is one that the document lists for it, one of a code of its default response, or 5xx.",
            &[
                Sentence(
                    "An operation sends only the statuses that it lists, those of its `default` response, and 5xx.",
                ),
                GATEWAY,
                Part("/paths/~1api~1v1~1jobs~1{job_id}/get/responses"),
                Part("/components/responses/OtherProblem/x-codes"),
            ],
            call_each_operation,
        )
        .observing(documented_status),
        Requirement::new(
            "http.server-error.never",
            "No request makes the service fail: no response is 5xx, except 501, 502, 504, and 503 with Retry-After.",
            &[
                Sentence("No request makes the service fail: 500 has a cause outside of the request."),
                Sentence("The service failed."),
                Sentence("The service is shutting down or its store is not available."),
            ],
            call_each_operation,
        )
        .observing(server_error),
        Requirement::new(
            "http.server-error.documented",
            "Requests to the documented operations do not make the service fail: no response is 5xx, except 501, 502, 504, and 503 with Retry-After.",
            &[Fact("4.1"), Fact("4.2")],
            documented_tour,
        )
        .core()
        .should()
        .observing(server_error_where_documented),
        Requirement::new(
            "http.request-id.own",
            "The server chooses X-Request-Id and does not use the one of the client.",
            &[Sentence("The server always chooses a new one.")],
            own_request_id,
        ),
        Requirement::new(
            "http.request-id.present",
            "Every response has X-Request-Id, unless an HTTP library or a gateway refused the request before routing.",
            &[
                Part("/components/headers/X-Request-Id/required"),
                Sentence("The service always sends `type`, `title`, `status`, `detail`, `code` and `request_id`."),
                Sentence("`request_id` equals the header `X-Request-Id`."),
                Sentence(
                    "If an HTTP library refuses a request before routing, because it is malformed or its headers are too large, the response may lack the headers of this document and have any body.",
                ),
                GATEWAY,
            ],
            call_each_operation,
        )
        .observing(request_id_present),
        Requirement::new(
            "http.request-id.distinct",
            "X-Request-Id is different for every request: among 32, half of them at the same time, none occurs twice.",
            &[
                Sentence("Id of this request in logs and in `Problem.request_id`."),
                Sentence("The server always chooses a new one."),
            ],
            distinct_request_ids,
        ),
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
        .observing(quota_announced),
    ]
}

fn documented_status(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let operation = document.operation(exchange.request.operation?)?;
    if is_refused_before_routing(exchange) {
        return None;
    }
    let has_status = |code: &String| document.problems().get(code).is_some_and(|row| row.status == exchange.status);
    let is_of_default = operation.default_codes().iter().any(has_status);
    let holds = operation.names_status(exchange.status) || is_of_default || exchange.status >= 500;
    finding(holds, "a status that the document lists for the operation", exchange)
}

/// Calls the documented operations once.
async fn documented_tour(context: Context, _: Value) -> Verdict {
    let documented = json!({ "topic": "A tour: O'Brien's \"best\" <service>, 100% \u{1f6b2}", "website_id": context.facts().website_id });
    for request in [steps::generate(&documented), steps::get_article("tour")] {
        context.send(request).await?;
    }
    Ok(())
}

fn server_error(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    // HTTP has 501 for unknown methods, 502 and 504 are of a gateway, and 503 with Retry-After is an announced break.
    let is_excused = matches!(exchange.status, 0..=499 | 501 | 502 | 504)
        || (exchange.status == 503 && exchange.headers.contains_key("retry-after"));
    finding(is_excused, "no 5xx status", exchange)
}

fn server_error_where_documented(
    document: &Document,
    facts: &Facts,
    exchange: &Exchange,
) -> Option<Result<(), Finding>> {
    matches!(exchange.request.operation, Some("generate" | "get_article")).then_some(())?;
    server_error(document, facts, exchange)
}

async fn own_request_id(context: Context, _: Value) -> Verdict {
    let mut seen = BTreeSet::new();
    for _ in 0..4 {
        let request = Request::new("list_websites", "GET", "/websites").header("x-request-id", "chosen-by-the-client");
        let exchange = context.send(request).await?;
        let id = demand::header(&exchange, "x-request-id")?.to_owned();
        ensure(id != "chosen-by-the-client", "a request id chosen by the server", || id.clone())?;
        ensure(seen.insert(id.clone()), "four different request ids", || format!("{id} twice"))?;
    }
    Ok(())
}

fn request_id_present(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    is_api(exchange).then_some(())?;
    let described = exchange.request.operation.and_then(|id| document.operation(id));
    let header = described.and_then(|operation| operation.answer_header(exchange.status, "x-request-id"));
    let keeps = |id: &str| header.is_none_or(|header| document.fits(&header.schema, &json!(id)));
    finding(
        exchange.header("x-request-id").is_some_and(|id| !id.is_empty() && keeps(id)),
        "a header X-Request-Id",
        exchange,
    )
}

async fn distinct_request_ids(context: Context, _: Value) -> Verdict {
    // Reading an unknown job costs the target little and does not look like an attack on the keys.
    let unknown = context.fresh("nobody");
    let probe = || context.send(steps::get_job(&unknown));
    let mut ids = BTreeSet::new();
    for _ in 0..ROUNDS {
        for exchange in futures::future::try_join_all((0..AT_ONCE).map(|_| probe())).await? {
            let id = demand::header(&exchange, "x-request-id")?;
            ensure(ids.insert(id.to_owned()), "a request id of no other request", || {
                format!("{id} again, after {} others", ids.len())
            })
            .about(&exchange)?;
        }
    }
    Ok(())
}

fn quota_announced(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
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
