//! What a job says of itself.

use chrono::Duration;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::records::{edit_job, edit_read_job};
use crate::clock;
use crate::message::{parse_time, write_time};

pub(super) const FAULTS: &[Fault] = &[
    fault("state.created-now", "created_at of a job is taken anew when it is read.", &["jobs.details.same-as-queued"])
        .response(|response, request, _| {
            edit_read_job(response, request, |job| job["created_at"] = json!(write_time(clock::now())));
        }),
    fault("state.job-post-other", "scheduled_post_id of a job is its own id.", &["jobs.details.same-as-queued"])
        .response(|response, request, _| {
            edit_job(response, request, |job| job["scheduled_post_id"] = job["job_id"].clone());
        }),
    fault("state.progress-1", "progress of a job that waits is 1.", &["jobs.progress.begins"]).response(
        |response, request, _| {
            edit_job(response, request, |job| {
                if job["status"] == "queued" {
                    job["progress"] = json!(1);
                }
            });
        },
    ),
    fault("state.cancelled-100", "A cancelled job is at 100 percent.", &["jobs.progress.begins"]).response(
        |response, request, _| {
            edit_job(response, request, |job| {
                if job["status"] == "cancelled" {
                    job["progress"] = json!(100);
                }
            });
        },
    ),
    fault("state.done-only-completed", "done is true for completed jobs only.", &["jobs.cancel.ends"]).response(
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
    fault("state.article-id-early", "article_id is there before the article.", &["jobs.done.consistent"]).response(
        |response, request, _| {
            edit_job(response, request, |job| {
                if job["done"] == false {
                    job["article_id"] = job["job_id"].clone();
                }
            });
        },
    ),
    fault("state.progress-99", "A completed job stays at 99 percent.", &["jobs.progress.ends"]).response(
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
        "progress tells what is left, not what is done.",
        &["jobs.poll.monotone", "jobs.progress.ends"],
    )
    .response(|response, request, _| {
        edit_job(response, request, |job| {
            if let Some(done) = job["progress"].as_i64() {
                job["progress"] = json!(100 - done);
            }
        });
    }),
    fault("state.started-later", "started_at is written by a clock that is an hour ahead.", &["jobs.times.ordered"])
        .response(|response, request, _| {
            edit_job(response, request, |job| {
                if let Some(started) = job["started_at"].as_str().and_then(parse_time) {
                    job["started_at"] = json!(write_time(started + Duration::hours(1)));
                }
            });
        }),
    fault("state.deadline-passed", "deadline_at of a job is the time of its creation.", &["jobs.times.ordered"])
        .response(|response, request, _| {
            edit_job(response, request, |job| job["deadline_at"] = job["created_at"].clone());
        }),
    fault("state.finished-now", "finished_at is the time of reading.", &["jobs.terminal.stable"]).response(
        |response, request, _| {
            edit_job(response, request, |job| {
                if job["done"] == true {
                    job["finished_at"] = json!(write_time(clock::now()));
                }
            });
        },
    ),
    fault("state.open-no-retry", "A job that has not ended has no Retry-After.", &["jobs.retry-after.while-open"])
        .response(|response, request, _| {
            if super::records::is_read(response, request, crate::message::Operation::GetJob) {
                response.remove("retry-after");
            }
        }),
];
