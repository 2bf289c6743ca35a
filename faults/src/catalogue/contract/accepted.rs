//! The 202 to a generation request.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response, remove_member};

pub(super) const FAULTS: &[Fault] =
    &[
        fault("contract.generate-is-200", "POST /generate is answered 200.", &["generate.valid.accepted"]).response(
            |response, request, _| {
                if is_accepted(request, response) {
                    response.status = 200;
                }
            },
        ),
        fault("contract.job-id-as-id", "The answer calls the job's id `id`.", &["generate.documented.accepted"])
            .response(|response, request, _| {
                if is_accepted(request, response) {
                    response.edit(|job| job["id"] = remove_member(job, "job_id").unwrap_or_default());
                }
            }),
        fault("contract.job-id-number", "The answer's job_id is a number.", &["generate.documented.accepted"])
            .response(|response, request, memory| {
                if is_accepted(request, response) {
                    let number = memory.count("jobs") + 1;
                    response.edit(|job| job["job_id"] = json!(number));
                }
            }),
        fault("contract.status-pending", "A queued job is called pending.", &["generate.valid.accepted"]).response(
            |response, request, _| {
                if is_accepted(request, response) {
                    response.edit(|job| job["status"] = json!("pending"));
                }
            },
        ),
        fault("contract.metadata-null", "Empty metadata is null.", &["answers.generate.schema"]).response(
            |response, request, _| {
                if is_accepted(request, response) {
                    response.edit(|job| {
                        if job["metadata"] == json!({}) {
                            job["metadata"] = Value::Null;
                        }
                    });
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
        fault(
            "contract.location-of-post",
            "Location names the pipeline entry where it should name the job.",
            &["generate.valid.named"],
        )
        .response(|response, request, _| {
            if is_accepted(request, response)
                && let (Some(job), Some(entry)) = (response.text("/job_id"), response.text("/scheduled_post_id"))
            {
                response.change("location", |location| location.replace(&job, &entry));
            }
        }),
        fault("contract.no-retry-after", "The 202 has no Retry-After.", &["generate.valid.retry-after"]).response(
            |response, request, _| {
                if is_accepted(request, response) {
                    response.remove("retry-after");
                }
            },
        ),
        fault("contract.retry-after-0", "Retry-After of the 202 is 0.", &["generate.valid.retry-after"]).response(
            |response, request, _| {
                if is_accepted(request, response) {
                    response.set("retry-after", "0");
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
