//! Request ids over many requests: none comes twice.
//!
//! That every answer has one is in `observed`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::context::Context;
use super::demand;
use super::requirement::Requirement;
use super::steps;
use super::verdict::{About as _, Verdict, ensure};

/// How many requests are sent, and how many at a time.
const ROUNDS: usize = 70;
const AT_ONCE: usize = 16;

pub(super) fn requirements() -> Vec<Requirement> {
    vec![Requirement::must(
        "http.request-id.distinct",
        "X-Request-Id names this request and no other: among more than a thousand none comes twice.",
        "openapi.yaml, X-Request-Id",
        distinct,
    )]
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
