//! Faults in replays.

use serde_json::json;

use super::super::fault::{Fault, fault};
use super::key::{self, is_replay};
use crate::clock;
use crate::message::{Operation, write_time};

pub(super) const FAULTS: &[Fault] = &[
    fault("idempotency.unmarked", "A replay lacks Idempotency-Replayed.", &["idempotency.replay.same-answer"])
        .response(|response, request, _| {
            if is_replay(request, response) {
                response.remove("idempotency-replayed");
            }
        }),
    fault(
        "idempotency.all-marked",
        "The first response has Idempotency-Replayed, too.",
        &["idempotency.replay.fresh-headers"],
    )
    .response(|response, request, _| {
        if key::key(request).is_some() && response.is_success() {
            response.set("idempotency-replayed", "true");
        }
    }),
    fault("idempotency.replay-is-200", "A replay gets 200.", &["idempotency.replay.same-answer"]).response(
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
        "idempotency.replay-restamped",
        "A replay shows the current time as the job's queueing time.",
        &["idempotency.replay.same-answer"],
    )
    .response(|response, request, _| {
        if is_replay(request, response) {
            response.edit(|job| job["created_at"] = json!(write_time(clock::now())));
        }
    }),
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
