//! Faults that only a few requests show.

use super::fault::{Fault, in_answers, in_requests};
use serde_json::json;

pub(crate) fn faults() -> Vec<Fault> {
    let mut all = answers();
    all.extend(requests());
    all
}

fn answers() -> Vec<Fault> {
    vec![
        in_answers("answers.generate.schema", |answer| {
            answer.edit_at("/generate", |body| body["created_at"] = json!("today"));
        }),
        in_answers("answers.cancel-job.schema", |answer| answer.edit_at("/cancel", |body| body["done"] = json!("yes"))),
        in_answers("answers.list-articles.schema", |answer| {
            answer.edit_rows("/articles", |row| row["tags"] = json!(null));
        }),
        in_answers("answers.list-leads.schema", |answer| {
            answer.edit_at("/leads?", |body| body["next_page"] = json!(7));
        }),
        in_answers("answers.list-scheduled-posts.schema", |answer| {
            answer.edit_rows("/scheduled_posts", |row| row["attempts"] = json!("1"));
        }),
        in_answers("answers.get-lead.schema", |answer| answer.edit_at("/leads/", |body| body["fields"] = json!(null))),
        in_answers("generate.valid.retry-after", |answer| answer.set("retry-after", "0")),
        in_answers("jobs.poll.monotone", |answer| {
            answer.edit_at("/jobs/", |body| body["progress"] = json!(100 - body["progress"].as_i64().unwrap_or(0)));
        }),
        in_answers("jobs.cancel.idempotent", |answer| {
            let id = answer.header("x-request-id").to_owned();
            answer.edit_at("/cancel", |body| body["trace"] = json!(id));
        }),
        in_answers("idempotency.replay.fresh-headers", |answer| answer.set("x-request-id", "always-the-same")),
        in_answers("leads.list.newest-first", |answer| {
            answer.edit_at("limit=100", |body| {
                if let Some(items) = body["items"].as_array_mut() {
                    items.reverse();
                }
            });
        }),
        in_answers("leads.unknown.not-found", |answer| {
            answer.edit(|body| {
                if body["code"] == "lead_not_found" {
                    body["code"] = json!("job_not_found");
                }
            });
        }),
        in_answers("pipeline.entry.concurrent", |answer| {
            answer.edit_at("/scheduled_posts", |body| {
                if let Some(items) = body["items"].as_array_mut() {
                    items.dedup_by(|one, other| one["topic"] == other["topic"]);
                }
            });
        }),
        in_answers("voice.topic.used", |answer| {
            answer.edit_at("/articles/", |body| {
                body["title"] = json!("Lorem ipsum");
                body["content_markdown"] = json!("## Dolor\n\nSit amet.");
            });
        }),
    ]
}

fn requests() -> Vec<Fault> {
    vec![
        in_requests("generate.size.at-the-limit", |request, _| {
            if request.body.len() == 1 << 16 {
                request.body.push(b' ');
            }
        }),
        in_requests("generate.order.media-type-before-json", |request, _| {
            if request.body == b"{" {
                request.set("content-type", "application/json");
            }
        }),
        in_requests("idempotency.key.longest", |request, _| {
            if request.header("idempotency-key").len() > 128 {
                request.headers.remove("idempotency-key");
            }
        }),
        in_requests("idempotency.replay.equal-values", |request, _| {
            if request.body.starts_with(b"\n") {
                request.headers.remove("idempotency-key");
            }
        }),
        in_requests("isolation.idempotency.scope", super::requests::mixed_up),
        in_requests("isolation.websites.core", super::requests::mixed_up),
        in_requests("jobs.cancel.body-ignored", |request, _| {
            if request.path.ends_with("/cancel") && !request.body.is_empty() {
                request.path.push_str("led");
            }
        }),
        in_requests("jobs.long-poll.malformed-ignored", |request, _| {
            if request.header("prefer") == "wait=abc" {
                request.path.push_str("/wait");
            }
        }),
        in_requests("pages.parameter.unknown", |request, _| {
            request.path = request.path.replace("&page=3", "&page_token=3");
        }),
        in_requests("pages.limit.edges", |request, _| request.path = request.path.replace("limit=100", "limit=1000")),
        in_requests("pages.token.with-bad-limit", |request, _| request.without_parameter("limit")),
        in_requests("pages.token.repeatable", |request, _| {
            if request.path.contains("limit=50") {
                request.without_parameter("page_token");
            }
        }),
    ]
}
