//! Faults that only a few requests show.

use std::collections::BTreeSet;
use std::sync::Mutex;

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
        in_answers("generate.invalid.every-item", |answer| {
            answer.edit(|problem| {
                if let Some(errors) = problem["errors"].as_array_mut() {
                    errors.truncate(50);
                }
            });
        }),
        in_answers("pages.filter.order", |answer| {
            if answer.path.contains("/articles?") && answer.path.contains("updated_since") {
                answer.edit(|page| {
                    if let Some(items) = page["items"].as_array_mut() {
                        items.sort_by_key(|row| std::cmp::Reverse(row["updated_at"].to_string()));
                    }
                });
            }
        }),
        in_answers("pipeline.get.by-status", |answer| {
            answer.edit_at("/scheduled_posts/", |post| post["published_at"] = json!(null));
        }),
        in_answers("jobs.etag.follows-change", |answer| {
            if answer.path.contains("/jobs/") {
                answer.set("etag", "\"the-same\"");
            }
        }),
        in_answers("leads.sync.walk-over-erased", |answer| {
            if answer.path.contains("page_token") {
                answer.edit_at("/leads", |page| *page = json!({ "items": [], "next_page": null }));
            }
        }),
        in_answers("capture.origin.own", |answer| {
            if answer.status >= 400 {
                answer.headers.remove("access-control-allow-origin");
            }
        }),
        in_answers("capture.confirmation.method", |answer| {
            if answer.method == "OPTIONS" {
                answer.status = 204;
                answer.body.clear();
            }
        }),
        in_answers("auth.scope.insufficient", |answer| {
            if answer.method == "HEAD" {
                answer.status = 200;
            }
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
        in_requests("auth.scheme.elsewhere", |request, keys| {
            if request.path.contains("access_token=") {
                request.set("authorization", &format!("Bearer {}", keys.main));
            }
        }),
        in_requests("auth.restricted-key.shared-key", |request, keys| {
            let key = request.header("idempotency-key").to_owned();
            if request.header("authorization").ends_with(&keys.main) && !key.is_empty() {
                request.set("idempotency-key", &format!("{key}-of-another-key"));
            }
        }),
        in_requests("idempotency.replay.after-failure", |request, _| {
            static SEEN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
            let key = request.header("idempotency-key").to_owned();
            if !key.is_empty() && !SEEN.lock().unwrap().insert(key) {
                request.headers.remove("idempotency-key");
            }
        }),
        in_requests("idempotency.mismatch.refused", |request, _| {
            request.edit(|body| {
                if body["metadata"] == json!({}) {
                    body.as_object_mut().unwrap().remove("metadata");
                }
            });
        }),
        in_requests("generate.media-type.required", |request, _| drop(request.headers.remove("content-encoding"))),
        in_requests("capture.media-type.refused", |request, _| drop(request.headers.remove("content-encoding"))),
        in_requests("capture.bounds.forms", |request, _| {
            if request.header("content-type").starts_with("multipart/form-data") {
                request.set("content-type", "application/x-www-form-urlencoded");
                request.body = b"email=ann%40example.com".to_vec();
            }
        }),
        in_requests("capture.form.like-json", |request, _| {
            let text = String::from_utf8_lossy(&request.body).replace("%0D%0A", "%0A");
            request.body = text.into_bytes();
        }),
        in_requests("pages.token.other-filters", |request, _| {
            if request.path.contains("page_token") {
                request.without_parameter("captured_until");
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
