//! The 202 to a generation request.

use futures::future::FutureExt;
use serde_json::json;

use super::super::fault::{Fault, fault};
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response, remove_member};

pub(super) const FAULTS: &[Fault] = &[
    fault("contract.generate-is-200", "POST /generate is answered 200.", &["generate.valid.accepted"]).response(
        |response, request, _| {
            if is_accepted(request, response) {
                response.status = 200;
            }
        },
    ),
    fault("contract.job-id-as-id", "The answer calls the job's id `id`.", &["generate.documented.accepted"]).response(
        |response, request, _| {
            if is_accepted(request, response) {
                response.edit(|job| job["id"] = remove_member(job, "job_id").unwrap_or_default());
            }
        },
    ),
    fault(
        "contract.same-topic-same-job",
        "Equal requests are taken for repeats, also without an idempotency key.",
        &["generate.job-id.unique"],
    )
    .exchange(|exchange| same_topic_same_job(exchange).boxed()),
    fault("contract.no-location", "The 202 has no Location.", &["generate.valid.named"]).response(
        |response, request, _| {
            if is_accepted(request, response) {
                response.remove("location");
            }
        },
    ),
];

fn is_accepted(request: &Request, response: &Response) -> bool {
    request.is(Operation::Generate) && response.is_success()
}

async fn same_topic_same_job(exchange: Exchange) -> Response {
    let request = &exchange.request;
    if !request.is(Operation::Generate) || request.header("idempotency-key").is_some() {
        return exchange.forward().await;
    }
    let what = json!([request.key(), request.json()]).to_string();
    let _turn = exchange.memory.turn().await;
    if let Some(body) = exchange.memory.get(&what) {
        return Response::json_of(202, &body);
    }
    let response = exchange.forward().await;
    if let Some(body) = response.json().filter(|_| response.is_success()) {
        exchange.memory.put(&what, body);
    }
    response
}
