//! Every response has a different request id.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{About as _, Context, Exchange, Facts, Finding, Request, Requirement, Verdict, demand, ensure};
use crate::spec::Document;
use crate::steps;
use crate::steps::observing::{call_each_operation, finding, is_api};

/// Number of rounds.
const ROUNDS: usize = 2;

/// Number of concurrent requests in a round.
const AT_ONCE: usize = 16;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
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
                Sentence(
                    "The same holds if a gateway before the service responds 502, 503 or 504, 414 to a long address, or 431 to large headers.",
                ),
            ],
            call_each_operation,
        )
        .observing(request_id),
        Requirement::new(
            "http.request-id.distinct",
            "X-Request-Id is different for every request: among 32, half of them at the same time, none occurs twice.",
            &[
                Sentence("Id of this request in logs and in `Problem.request_id`."),
                Sentence("The server always chooses a new one."),
            ],
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
        ensure(id != "chosen-by-the-client", "a request id chosen by the server", || id.clone())?;
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
