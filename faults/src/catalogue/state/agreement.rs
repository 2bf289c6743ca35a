//! Numbers and times of jobs and scheduled posts that contradict other fields.

use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::records::{edit_entries, edit_job};

pub(super) const FAULTS: &[Fault] = &[
    fault("state.attempts-0", "attempts counts only failed attempts.", &["jobs.details.attempts"]).response(
        |response, request, _| {
            edit_job(response, request, |job| {
                if job["status"] == "completed" {
                    job["attempts"] = json!(job["attempts"].as_u64().unwrap_or(1).saturating_sub(1));
                }
            });
        },
    ),
    fault("state.attempts-of-queued", "attempts counts queueing a job as an attempt.", &["jobs.details.attempts"])
        .response(|response, request, _| {
            edit_job(response, request, |job| {
                let attempts = job["attempts"].as_u64().unwrap_or(0);
                job["attempts"] = json!(attempts + u64::from(job["status"] == "queued"));
            });
        }),
    fault("state.started-when-queued", "started_at is the time at which the job was queued.", &["jobs.times.queued"])
        .response(|response, request, _| {
            edit_job(response, request, |job| job["started_at"] = job["created_at"].clone());
        }),
    fault("state.entry-attempts-0", "attempts of a scheduled post is always 0.", &["pipeline.entry.follows-article"])
        .response(|response, request, _| {
            edit_entries(response, request, |entry| entry["attempts"] = json!(0));
        }),
    fault(
        "state.entry-loses-article",
        "A scheduled post loses its article_id when the article is published.",
        &["pipeline.entry.follows-article"],
    )
    .response(|response, request, _| {
        edit_entries(response, request, |entry| {
            if entry["status"] == "published" {
                entry["article_id"] = Value::Null;
            }
        });
    }),
];
