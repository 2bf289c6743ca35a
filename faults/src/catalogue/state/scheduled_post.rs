//! Scheduled posts that are read by their ids.

use std::time::Duration;

use serde_json::Value;

use super::super::fault::{Fault, fault};
use super::super::refusals;
use super::records::is_read;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response};

const UNKNOWN: &[&str] = &["pipeline.unknown.not-found"];
const SAME: &[&str] = &["pipeline.get.same-as-list"];

/// Time for which a new scheduled post cannot be read by its id.
const LAG: Duration = Duration::from_millis(500);

pub(super) const FAULTS: &[Fault] = &[
    fault("state.single-entry-differs", "A scheduled post that is read by its id lacks its job_id.", SAME).response(
        |response, request, _| {
            if is_read(response, request, Operation::GetScheduledPost) {
                response.edit(|post| post["job_id"] = Value::Null);
            }
        },
    ),
    fault(
        "state.single-entry-cached",
        "A scheduled post that is read by its id never changes after the first time.",
        SAME,
    )
    .response(as_first_read),
    fault(
        "state.single-entry-no-error",
        "A scheduled post that is read by its id has no error.",
        &["pipeline.get.failed"],
    )
    .response(|response, request, _| {
        if is_read(response, request, Operation::GetScheduledPost) {
            response.edit(|post| post["error"] = Value::Null);
        }
    }),
    fault(
        "state.single-entry-late",
        "A new scheduled post can be read by its id only half a second later.",
        &["pipeline.get.immediate"],
    )
    .response(late),
    fault(
        "state.single-entry-cacheable",
        "A client's cache may store a scheduled post that is read by its id.",
        &["pipeline.get.no-store"],
    )
    .response(|response, request, _| {
        if is_read(response, request, Operation::GetScheduledPost) {
            response.set("cache-control", "private, no-cache");
        }
    }),
    fault("state.single-entry-unknown-is-empty", "An unknown scheduled post gets 200 with an empty object.", UNKNOWN)
        .response(|response, request, _| {
            if request.is(Operation::GetScheduledPost) && response.status == 404 {
                response.status = 200;
                response.set_body("application/json", "{}");
            }
        }),
    fault("state.single-entry-unknown-is-job", "An unknown scheduled post gets 404 job_not_found.", UNKNOWN).response(
        |response, request, _| {
            if request.is(Operation::GetScheduledPost) && response.status == 404 {
                *response = refusals::in_place_of(response, 404, "job_not_found", "Job not found");
            }
        },
    ),
    fault(
        "state.single-entry-by-job",
        "A scheduled post is also found by the id of its job.",
        &["ids.kinds.own-place"],
    )
    .request(|request, memory| {
        let post_id = request.id().and_then(|job_id| memory.text(&of_job(&job_id)));
        if let Some(post_id) = post_id.filter(|_| request.is(Operation::GetScheduledPost)) {
            request.set_id(&post_id);
        }
    })
    .response(|response, request, memory| {
        let ids = response.text("/job_id").zip(response.text("/scheduled_post_id"));
        if let Some((job_id, post_id)) = ids.filter(|_| is_read(response, request, Operation::Generate)) {
            memory.put(&of_job(&job_id), post_id);
        }
    }),
];

fn of_job(job_id: &str) -> String {
    format!("post of {job_id}")
}

fn as_first_read(response: &mut Response, request: &Request, memory: &Memory) {
    if !is_read(response, request, Operation::GetScheduledPost) {
        return;
    }
    if let (Some(id), Some(post)) = (request.id(), response.json()) {
        let first = memory.get_or_put(&id, post);
        response.edit(|post| *post = first);
    }
}

fn late(response: &mut Response, request: &Request, memory: &Memory) {
    let slot = |post_id: &str| format!("made: {post_id}");
    if let Some(post_id) =
        response.text("/scheduled_post_id").filter(|_| is_read(response, request, Operation::Generate))
    {
        memory.get_or_put(&slot(&post_id), true);
    }
    let age = request.id().and_then(|post_id| memory.age(&slot(&post_id)));
    if is_read(response, request, Operation::GetScheduledPost) && age.is_some_and(|age| age < LAG) {
        *response = Response::problem(response, 404, "scheduled_post_not_found", "Scheduled post not found");
    }
}
