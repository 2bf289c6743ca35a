//! What a replay says.

use futures::future::FutureExt;
use serde_json::json;

use super::super::fault::{Fault, fault};
use super::key::{self, is_replay};
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault("idempotency.unmarked", "A replay lacks Idempotency-Replayed.", &["idempotency.replay.same-answer"])
        .response(|response, request, _| {
            if is_replay(request, response) {
                response.remove("idempotency-replayed");
            }
        }),
    fault(
        "idempotency.all-marked",
        "The first response is marked as a replay too.",
        &["idempotency.replay.fresh-headers"],
    )
    .response(|response, request, _| {
        if key::key(request).is_some() && response.is_success() {
            response.set("idempotency-replayed", "true");
        }
    }),
    fault("idempotency.replay-is-200", "A replay is answered 200.", &["idempotency.replay.same-answer"]).response(
        |response, request, _| {
            if is_replay(request, response) {
                response.status = 200;
            }
        },
    ),
    fault("idempotency.replay-no-location", "A replay has no Location.", &["idempotency.replay.same-answer"]).response(
        |response, request, _| {
            if is_replay(request, response) {
                response.remove("location");
            }
        },
    ),
    fault(
        "idempotency.replay-current",
        "A replay shows the job as it stands now.",
        &["idempotency.replay.same-answer"],
    )
    .exchange(|exchange| replay_current(exchange).boxed()),
    fault(
        "idempotency.replay-request-id",
        "A replay repeats the first request id.",
        &["idempotency.replay.fresh-headers"],
    )
    .response(|response, request, memory| {
        let (Some(id), Some(job)) = (response.header("x-request-id"), response.text("/job_id")) else { return };
        if request.is(Operation::Generate) {
            let first = memory.get_or_put(&job, json!(id));
            response.set("x-request-id", first.as_str().unwrap_or_default());
        }
    }),
];

async fn replay_current(exchange: Exchange) -> Response {
    let mut response = exchange.forward().await;
    if is_replay(&exchange.request, &response)
        && let (Some(id), Some(key)) = (response.text("/job_id"), exchange.request.key())
    {
        let mut read = Request::get("/api/v1/jobs/id").with_key(key);
        read.set_id(&id);
        let job = exchange.send(read).await;
        if job.is_success() {
            response.body = job.body;
        }
    }
    response
}
