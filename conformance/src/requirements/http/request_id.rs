//! Every answer has a request id of its own.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::check::{About as _, Context, Exchange, Facts, Finding, Request, Requirement, Verdict, demand, ensure};
use crate::spec::Document;
use crate::steps;
use crate::steps::observing::{call_each_operation, finding, is_api};

/// How many requests are sent, and how many at a time.
const ROUNDS: usize = 70;

const AT_ONCE: usize = 16;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "http.request-id.own",
            "X-Request-Id is chosen by the server: one that the client sends is not used.",
            "openapi.yaml, X-Request-Id",
            own_request_id,
        ),
        Requirement::must(
            "http.request-id.present",
            "Every answer has X-Request-Id.",
            "openapi.yaml, X-Request-Id",
            call_each_operation,
        )
        .observing(request_id),
        Requirement::must(
            "http.request-id.distinct",
            "X-Request-Id is different for every request: among more than a thousand none appears twice.",
            "openapi.yaml, X-Request-Id",
            distinct,
        ),
    ]
}

async fn own_request_id(context: Context, _: Value) -> Verdict {
    let mut seen = BTreeSet::new();
    for _ in 0..4 {
        let request = Request::new("list_websites", "GET", "/websites").header("x-request-id", "chosen-by-the-client");
        let exchange = context.send(request).await?;
        let id = demand::header(&exchange, "x-request-id")?.to_owned();
        ensure(id != "chosen-by-the-client", "a request id of the server's own", || id.clone())?;
        ensure(seen.insert(id.clone()), "four different request ids", || format!("{id} twice"))?;
    }
    Ok(())
}

fn request_id(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
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

async fn distinct(context: Context, _: Value) -> Verdict {
    // Hardly anything costs a target less, and nobody takes it for an attack on the keys.
    let unknown = context.fresh("nobody");
    let probe = || context.send(steps::get_job(&unknown));
    let mut ids = BTreeSet::new();
    for _ in 0..ROUNDS {
        for exchange in futures::future::try_join_all((0..AT_ONCE).map(|_| probe())).await? {
            let id = demand::header(&exchange, "x-request-id")?;
            ensure(ids.insert(id.to_owned()), "a request id that no other request has", || {
                format!("{id} again, after {} others", ids.len())
            })
            .about(&exchange)?;
        }
    }
    Ok(())
}
