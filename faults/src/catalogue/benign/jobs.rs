//! Jobs and scheduled posts that show other valid steps.

use std::time::Duration;

use chrono::TimeDelta;
use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, Profile, variant};
use super::super::state::records::is_read;
use super::body;
use crate::clock;
use crate::edge::Exchange;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, parse_time, write_time};

/// Time for which a post looks as if its job still ran.
const LAG: TimeDelta = TimeDelta::seconds(2);
/// Time a server may take to notice that a job has ended, with a margin for the network.
const NOTICES: Duration = Duration::from_secs(3);

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.progress-jumps",
        "progress is 0 until it is 100: the document only fixes both ends.",
        Profile::Full,
    )
    .response(|response, request, _| edit_jobs(response, request, hide_progress))
    .hook(|hook, _, _| body::edit_data(hook, |data| data.get_mut("job").into_iter().for_each(hide_progress))),
    variant(
        "benign.deadline-moves",
        "deadline_at moves while the job makes progress: \"It may move while the job runs.\"",
        Profile::Full,
    )
    .response(|response, request, _| edit_jobs(response, request, move_deadline)),
    variant(
        "benign.no-wait",
        "Prefer: wait gets a response at once: \"It may respond earlier, so check `done`.\"",
        Profile::Full,
    )
    .request(|request, _| {
        if request.is(Operation::GetJob) {
            request.remove("prefer");
        }
    }),
    variant(
        "benign.wait-notices-late",
        "A long poll ends three seconds after the job: \"It responds within 5 seconds after the job has ended.\"",
        Profile::Full,
    )
    .exchange(|exchange| notice_late(exchange).boxed()),
    variant(
        "benign.post-lags",
        "A post that waits for approval follows its job two seconds later: the document sets no time for it.",
        Profile::Full,
    )
    .response(post_lags),
];

fn edit_jobs(response: &mut Response, request: &Request, change: fn(&mut Value)) {
    if is_read(response, request, Operation::GetJob) || is_read(response, request, Operation::CancelJob) {
        body::edit(response, change);
    }
}

fn hide_progress(job: &mut Value) {
    if job["status"] != "completed" && job["progress"].is_number() {
        job["progress"] = json!(0);
    }
}

/// The same progress has the same deadline, since the `ETag` is the same.
fn move_deadline(job: &mut Value) {
    let left = 100 - job["progress"].as_i64().unwrap_or(100);
    let deadline = job["deadline_at"].as_str().and_then(parse_time).filter(|_| job["done"] == false);
    if let Some(deadline) = deadline {
        job["deadline_at"] = json!(write_time(deadline - TimeDelta::milliseconds(left * 50)));
    }
}

async fn notice_late(exchange: Exchange) -> Response {
    let begun = clock::now();
    let mut response = exchange.forward().await;
    let request = &exchange.request;
    let wait = request.header("prefer").and_then(|prefer| prefer.split("wait=").nth(1)?.parse::<u64>().ok());
    if let Some(wait) = wait.filter(|_| is_read(&response, request, Operation::GetJob)) {
        let waited = (clock::now() - begun).to_std().unwrap_or_default();
        let has_ended = response.json().is_some_and(|job| job["done"] == true);
        // A request for a finished job does not wait, and no request waits longer than asked.
        if has_ended && waited > Duration::from_millis(200) {
            response.delay = NOTICES.min(Duration::from_secs(wait.min(60)).saturating_sub(waited));
        }
    }
    response
}

fn post_lags(response: &mut Response, request: &Request, memory: &Memory) {
    if is_read(response, request, Operation::GetScheduledPost) {
        body::edit(response, |post| lag(post, memory));
    } else if is_read(response, request, Operation::ListScheduledPosts) {
        body::edit_rows(response, |post| lag(post, memory));
        let Some(wanted) = request.parameter("status") else { return };
        body::edit(response, |page| {
            if let Some(posts) = page.get_mut("items").and_then(Value::as_array_mut) {
                posts.retain(|post| post["status"] == wanted);
            }
        });
    }
}

/// Shows a post in the state from before its job's end, if the end was read only just now.
fn lag(post: &mut Value, memory: &Memory) {
    let job = memory.world.record(Operation::GetJob, body::text(post, "job_id")).unwrap_or_default();
    let finished = job["finished_at"].as_str().and_then(parse_time);
    let is_recent = finished.is_some_and(|finished| clock::now() - finished < LAG);
    if is_recent && post["status"] == "ready" {
        (post["status"], post["article_id"]) = (json!("generating"), Value::Null);
        post["updated_at"] =
            if job["started_at"].is_null() { post["created_at"].clone() } else { job["started_at"].clone() };
    }
}
