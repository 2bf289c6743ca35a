//! Faults in the fields of a job.

use chrono::Duration;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::records::{edit_job, edit_read_job};
use crate::clock;
use crate::message::{parse_time, write_time};

pub(super) const FAULTS: &[Fault] = &[
    fault("state.created-now", "created_at of a job is the time of the read.", &["jobs.details.same-as-queued"])
        .response(|response, request, _| {
            edit_read_job(response, request, |job| job["created_at"] = json!(write_time(clock::now())));
        }),
    fault("state.job-post-other", "scheduled_post_id of a job is the job's id.", &["jobs.details.same-as-queued"])
        .response(|response, request, _| {
            edit_job(response, request, |job| job["scheduled_post_id"] = job["job_id"].clone());
        }),
    fault("state.progress-1", "progress of a queued job is 1.", &["jobs.progress.begins"]).response(
        |response, request, _| {
            edit_job(response, request, |job| {
                if job["status"] == "queued" {
                    job["progress"] = json!(1);
                }
            });
        },
    ),
    fault("state.cancelled-100", "progress of a cancelled job is 100.", &["jobs.progress.begins"]).response(
        |response, request, _| {
            edit_job(response, request, |job| {
                if job["status"] == "cancelled" {
                    job["progress"] = json!(100);
                }
            });
        },
    ),
    fault("state.done-only-completed", "done is true only for completed jobs.", &["jobs.cancel.ends"]).response(
        |response, request, _| {
            edit_job(response, request, |job| job["done"] = json!(job["status"] == "completed"));
        },
    ),
    fault("state.no-finished-at", "A cancelled job has no finished_at.", &["jobs.cancel.ends"]).response(
        |response, request, _| {
            edit_job(response, request, |job| {
                if job["status"] == "cancelled" {
                    job["finished_at"] = Value::Null;
                }
            });
        },
    ),
    fault("state.article-id-early", "A job has an article_id before its article exists.", &["jobs.done.consistent"])
        .response(|response, request, _| {
            edit_job(response, request, |job| {
                if job["done"] == false {
                    job["article_id"] = job["job_id"].clone();
                }
            });
        }),
    fault("state.progress-99", "progress of a completed job is 99.", &["jobs.progress.ends"]).response(
        |response, request, _| {
            edit_job(response, request, |job| {
                if job["status"] == "completed" {
                    job["progress"] = json!(99);
                }
            });
        },
    ),
    fault(
        "state.progress-left",
        "progress shows the remaining percentage.",
        &["jobs.poll.monotone", "jobs.progress.ends"],
    )
    .response(|response, request, _| {
        edit_job(response, request, |job| {
            if let Some(done) = job["progress"].as_i64() {
                job["progress"] = json!(100 - done);
            }
        });
    }),
    fault("state.started-later", "started_at is an hour ahead.", &["jobs.times.ordered"]).response(
        |response, request, _| {
            edit_job(response, request, |job| {
                if let Some(started) = job["started_at"].as_str().and_then(parse_time) {
                    job["started_at"] = json!(write_time(started + Duration::hours(1)));
                }
            });
        },
    ),
    fault("state.deadline-passed", "deadline_at of a job is its created_at.", &["jobs.times.ordered"]).response(
        |response, request, _| {
            edit_job(response, request, |job| job["deadline_at"] = job["created_at"].clone());
        },
    ),
    fault("state.finished-now", "finished_at is the time of the read.", &["jobs.terminal.stable"]).response(
        |response, request, _| {
            edit_job(response, request, |job| {
                if job["done"] == true {
                    job["finished_at"] = json!(write_time(clock::now()));
                }
            });
        },
    ),
    fault("state.open-no-retry", "A job in progress has no Retry-After.", &["jobs.retry-after.while-open"]).response(
        |response, request, _| {
            if super::records::is_read(response, request, crate::message::Operation::GetJob) {
                response.remove("retry-after");
            }
        },
    ),
];
