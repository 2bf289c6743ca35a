//! Faults in scheduled posts.

use std::time::Duration;

use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::records::{edit_entries, is_read};
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, parse_time, write_time};

/// Replication lag of scheduled posts.
const LAG: Duration = Duration::from_millis(500);

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "state.entry-minute-late",
        "published_at of a scheduled post is a minute late.",
        &["hooks.article.one-moment"],
    )
    .response(|response, request, _| {
        edit_entries(response, request, |entry| {
            if let Some(published) = entry["published_at"].as_str().and_then(parse_time) {
                entry["published_at"] = json!(write_time(published + chrono::Duration::minutes(1)));
            }
        });
    }),
    fault(
        "state.entry-late",
        "Scheduled posts are read from a replica that lags by half a second.",
        &["pipeline.entry.immediate"],
    )
    .response(entry_late),
    fault("state.entry-twice", "The list of scheduled posts contains every item twice.", &["pipeline.entry.immediate"])
        .response(|response, request, _| {
            edit_page(response, request, |rows| {
                *rows = rows.drain(..).flat_map(|row| [row.clone(), row]).collect();
            });
        }),
    fault("state.entry-topic-100", "Scheduled posts cut the topic at 100 characters.", &["pipeline.entry.echo"])
        .response(|response, request, _| {
            edit_entries(response, request, |entry| {
                if let Some(topic) = entry["topic"].as_str() {
                    entry["topic"] = json!(topic.chars().take(100).collect::<String>());
                }
            });
        }),
    fault("state.entry-id-other", "scheduled_post_id of the 202 is the job's id.", &["pipeline.entry.echo"]).response(
        |response, request, _| {
            if request.is(Operation::Generate) && response.is_success() {
                response.edit(|job| job["scheduled_post_id"] = job["job_id"].clone());
            }
        },
    ),
    fault(
        "state.entry-no-article",
        "The scheduled post of a completed job lacks its article_id.",
        &["pipeline.entry.ready"],
    )
    .response(|response, request, _| {
        edit_entries(response, request, |entry| entry["article_id"] = Value::Null);
    }),
    fault("state.entry-stays", "The scheduled post of a completed job stays generating.", &["pipeline.entry.ready"])
        .response(|response, request, _| {
            edit_entries(response, request, |entry| {
                if entry["status"] == "ready" {
                    entry["status"] = json!("generating");
                }
            });
        }),
    fault("state.no-published-at", "A published scheduled post has no published_at.", &["pipeline.entry.published"])
        .response(|response, request, _| {
            edit_entries(response, request, |entry| entry["published_at"] = Value::Null);
        }),
];

fn edit_page(response: &mut Response, request: &Request, edit: impl FnOnce(&mut Vec<Value>)) {
    if is_read(response, request, Operation::ListScheduledPosts) {
        response.edit(|page| {
            if let Some(rows) = page.get_mut("items").and_then(Value::as_array_mut) {
                edit(rows);
            }
        });
    }
}

fn entry_late(response: &mut Response, request: &Request, memory: &Memory) {
    let slot = |job_id: &str| format!("queued: {job_id}");
    if let Some(job_id) = response.text("/job_id").filter(|_| is_read(response, request, Operation::Generate)) {
        memory.is_first(&slot(&job_id));
    }
    edit_page(response, request, |rows| {
        rows.retain(|row| {
            let queued = row["job_id"].as_str().and_then(|job_id| memory.age(&slot(job_id)));
            queued.is_none_or(|age| age > LAG)
        });
    });
}
