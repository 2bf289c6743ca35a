//! Numbers and times of jobs and entries that contradict what else is told of them.

use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::records::{edit_entries, edit_job};

pub(super) const FAULTS: &[Fault] = &[
    fault("state.attempts-0", "Only attempts that failed are counted.", &["jobs.details.attempts"]).response(
        |response, request, _| {
            edit_job(response, request, |job| {
                if job["status"] == "completed" {
                    job["attempts"] = json!(job["attempts"].as_u64().unwrap_or(1).saturating_sub(1));
                }
            });
        },
    ),
    fault("state.attempts-of-queued", "Putting a job into the queue counts as an attempt.", &["jobs.details.attempts"])
        .response(|response, request, _| {
            edit_job(response, request, |job| {
                let attempts = job["attempts"].as_u64().unwrap_or(0);
                job["attempts"] = json!(attempts + u64::from(job["status"] == "queued"));
            });
        }),
    fault("state.started-when-queued", "started_at is when a job was queued.", &["jobs.times.queued"]).response(
        |response, request, _| edit_job(response, request, |job| job["started_at"] = job["created_at"].clone()),
    ),
    fault("state.entry-attempts-0", "attempts of an entry is never counted.", &["pipeline.entry.follows-article"])
        .response(|response, request, _| {
            edit_entries(response, request, |entry| entry["attempts"] = json!(0));
        }),
    fault(
        "state.entry-loses-article",
        "An entry forgets its article when that is published.",
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
